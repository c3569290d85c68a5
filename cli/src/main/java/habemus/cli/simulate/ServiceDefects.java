package habemus.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.SpellingSuggestion;
import habemus.cli.terminal.Terminal;
import habemus.harness.simulation.ServiceFuzzer;
import habemus.lab.mutation.Mutant;
import habemus.lab.mutation.MutantCompiler;
import habemus.lab.mutation.SourceChange;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Plants defects in the sources of the service, and shows that the simulation finds them. */
final class ServiceDefects {

    private static final String ALL = "all";
    private static final String SEED = "seed ";

    /** Where a changed class may be. */
    private static final List<String> PACKAGES = List.of(
            "habemus.service.raft",
            "habemus.service.server",
            "habemus.client",
            "habemus.lockservice.table",
            "habemus.lockservice.protocol",
            "habemus.raft");

    /**
     * A seed that finds a defect.
     *
     * @param property that it violates
     */
    record Finding(Mutant defect, long seed, String property) {}

    private ServiceDefects() {}

    static List<Mutant> all() {
        return Mutant.of(ServiceFuzz.NAME);
    }

    /** @param seeds how many seeds to search, if the recorded one does not find the defect */
    static int run(String name, long seeds, Terminal terminal) {
        var progress = new ProgressLine(terminal);
        terminal.out().printf("%-36s %8s   %s%n", "defect", "seed", "violated");
        boolean areAllFound = true;
        for (var defect : find(name)) {
            progress.showText(defect.name());
            var finding = search(defect, seeds);
            progress.clear();
            areAllFound &= finding.isPresent();
            terminal.out()
                    .printf(
                            "%-36s %8s   %s%n",
                            defect.name(),
                            finding.map(found -> String.valueOf(found.seed())).orElse("-"),
                            finding.map(Finding::property).orElse("nothing"));
            terminal.flush();
        }
        return areAllFound ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static List<Mutant> find(String name) {
        var all = all();
        var names = all.stream().map(Mutant::name).toList();
        if (!name.equals(ALL) && !names.contains(name)) {
            throw CommandException.usage(
                    "no defect '" + name + "'", SpellingSuggestion.hint(name, names) + "--defect all shows all");
        }
        return name.equals(ALL) ? all : List.of(all.get(names.indexOf(name)));
    }

    /** Tries the recorded seed first. */
    static Optional<Finding> search(Mutant defect, long seeds) {
        var program = MutantCompiler.loadProgram(defect, mutatedSources(defect));
        return recordedSeed(defect)
                .flatMap(seed -> search(program, defect, seed, 1))
                .or(() -> search(program, defect, 1, seeds));
    }

    private static Optional<Long> recordedSeed(Mutant defect) {
        return defect.world().startsWith(SEED)
                ? Optional.of(Long.parseLong(defect.world().substring(SEED.length())))
                : Optional.empty();
    }

    private static Optional<Finding> search(ClassLoader program, Mutant defect, long first, long count) {
        try {
            var found = (String) program.loadClass(ServiceFuzzer.class.getName())
                    .getMethod("findViolation", long.class, long.class)
                    .invoke(null, first, count);
            var parts = String.valueOf(found).split(" ", 2);
            return parts.length < 2
                    ? Optional.empty()
                    : Optional.of(new Finding(defect, Long.parseLong(parts[0]), parts[1]));
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException(
                    "cannot run with defect " + defect,
                    failed instanceof InvocationTargetException thrown ? thrown.getCause() : failed);
        }
    }

    private static Map<String, String> mutatedSources(Mutant defect) {
        var sources = new TreeMap<String, String>();
        for (SourceChange change : defect.changes()) {
            var name = className(defect, change);
            var source =
                    sources.containsKey(name) ? sources.get(name) : source(name).orElseThrow();
            sources.put(
                    name,
                    change.applyTo(source)
                            .orElseThrow(() -> new IllegalArgumentException(
                                    defect + ": original line must occur once: " + change.originalCode())));
        }
        return sources;
    }

    private static String className(Mutant defect, SourceChange change) {
        return PACKAGES.stream()
                .map(name -> name + "." + change.file())
                .filter(name -> source(name).isPresent())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(defect + ": no source of " + change.file()));
    }

    /** Without the annotations for the static checks, which are not on the class path of the command line. */
    private static Optional<String> source(String className) {
        var name = "META-INF/source/" + className.replace('.', '/') + ".java";
        try (var file = ServiceDefects.class.getClassLoader().getResourceAsStream(name)) {
            return file == null
                    ? Optional.empty()
                    : Optional.of(new String(file.readAllBytes(), UTF_8)
                            .replaceAll("import org\\.jspecify[^\n]*\n|@Nullable ", ""));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
