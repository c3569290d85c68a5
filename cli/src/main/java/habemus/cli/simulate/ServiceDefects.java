package habemus.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.cli.options.ParsedOptions;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.harness.simulation.ServiceFuzzer;
import habemus.lab.benchmark.MarkdownSection;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.mutation.Mutant;
import habemus.lab.mutation.MutantCompiler;
import habemus.lab.mutation.SourceChange;
import habemus.lab.source.InMemoryCompiler;
import habemus.lab.table.TextTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.ParseResult;

/** Plants defects in the sources of the service, and shows that the simulation finds them. */
final class ServiceDefects {

    static final String ALL = "all";
    private static final String COMMAND = "habemus fuzz service --defect all";
    private static final String RECORDED = "/mutants/service-seeds.json";

    /** Where a changed class may be. */
    private static final List<String> PACKAGES = List.of(
            "habemus.service.raft",
            "habemus.service.server",
            "habemus.client",
            "habemus.lockservice.table",
            "habemus.lockservice.protocol",
            "habemus.raft");

    /**
     * The first seed that finds a defect.
     *
     * @param seed also the number of seeds that it took
     * @param property that it violates
     */
    record Finding(Mutant defect, long seed, String property) {}

    private ServiceDefects() {}

    static List<Mutant> all() {
        return Mutant.of(ServiceFuzz.NAME);
    }

    static int run(String name, ParseResult parsed, Terminal terminal) {
        try {
            return name.equals(ALL) || parsed.hasMatchedOption("--search")
                    ? runEach(find(name), parsed, terminal)
                    : runPlanted(find(name).getFirst(), parsed, terminal);
        } catch (InMemoryCompiler.NoCompilerException runtime) {
            throw CommandException.failure(
                    "cannot plant a defect (this Java has no compiler)", "set JAVA_HOME to a JDK 21 or newer");
        }
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

    /** Runs the same command in a program with the defect; without seeds, the seed that finds it. */
    private static int runPlanted(Mutant defect, ParseResult parsed, Terminal terminal) {
        var args = new ArrayList<>(parsed.originalArgs());
        if (!parsed.hasMatchedOption("--seed") && !parsed.hasMatchedOption("--seeds")) {
            var recorded = Optional.ofNullable(recorded().get(defect.name()))
                    .orElseThrow(() -> CommandException.usage(
                            "no recorded seed finds " + defect.name(), "name the seeds: --seed 1 --seeds 1000"));
            args.addAll(List.of("--seed", String.valueOf(recorded.seed()), "--seeds", "1"));
        }
        return (int) call(
                defect,
                load(defect),
                ServiceFuzz.class,
                "runPlanted",
                args.toArray(String[]::new),
                terminal.out(),
                terminal.err());
    }

    // ---- all defects ----

    /** Searches for the defects, or runs the recorded seeds. */
    private static int runEach(List<Mutant> defects, ParseResult parsed, Terminal terminal) {
        var record = ParsedOptions.text(parsed, "--search");
        var page = ParsedOptions.text(parsed, "--write");
        page.ifPresent(ServiceDefects::page); // reports errors before anything runs
        var progress = new ProgressLine(terminal);
        var findings = new TreeMap<>(recorded());
        boolean areAllFound = true;
        for (var defect : defects) {
            progress.showText(defect.name());
            var finding =
                    record.isPresent() ? search(defect, 1, ParsedOptions.<Long>get(parsed, "--seeds")) : replay(defect);
            progress.clear();
            terminal.err()
                    .println(defect.name() + ": "
                            + finding.map(Finding::seed).map(String::valueOf).orElse("not found"));
            terminal.flush();
            areAllFound &= finding.isPresent();
            finding.ifPresentOrElse(found -> findings.put(defect.name(), found), () -> findings.remove(defect.name()));
        }
        record.ifPresent(file -> AtomicOutputFile.write(file, toJson(findings) + "\n"));
        page.ifPresent(file -> AtomicOutputFile.write(
                file, page(file).replaceWith("\n" + table(all(), findings).markdown() + "\n")));
        terminal.out()
                .print(
                        parsed.hasMatchedOption("--json")
                                ? toJson(findings) + "\n"
                                : table(defects, findings).text());
        return areAllFound ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static MarkdownSection page(String file) {
        return MarkdownFile.readSection(file, COMMAND, "the planted defects");
    }

    private static TextTable table(List<Mutant> defects, Map<String, Finding> findings) {
        var table = new TextTable("defect", "what the original code ensures", "violated", "seeds");
        for (var defect : defects) {
            var found = Optional.ofNullable(findings.get(defect.name()));
            table.row(
                    defect.name(),
                    defect.rationale(),
                    found.map(Finding::property).orElse("nothing"),
                    found.map(finding -> String.valueOf(finding.seed())).orElse("-"));
        }
        return table;
    }

    /** Runs the recorded seed. Empty if there is none, or if it violates nothing. */
    static Optional<Finding> replay(Mutant defect) {
        return Optional.ofNullable(recorded().get(defect.name()))
                .flatMap(recorded -> search(defect, recorded.seed(), 1));
    }

    private static Optional<Finding> search(Mutant defect, long first, long count) {
        var found = (String) call(defect, load(defect), ServiceFuzzer.class, "findViolation", first, count);
        var parts = found.split(" ", 2);
        return parts.length < 2
                ? Optional.empty()
                : Optional.of(new Finding(defect, Long.parseLong(parts[0]), parts[1]));
    }

    // ---- recorded seeds ----

    /** By the name of the defect. */
    static Map<String, Finding> recorded() {
        var findings = new TreeMap<String, Finding>();
        try (var file = requireNonNull(Mutant.class.getResourceAsStream(RECORDED))) {
            var json = JsonParser.parseString(new String(file.readAllBytes(), UTF_8))
                    .getAsJsonObject();
            for (var defect : all()) {
                if (json.has(defect.name())) {
                    var entry = json.getAsJsonObject(defect.name());
                    findings.put(
                            defect.name(),
                            new Finding(
                                    defect,
                                    entry.get("seed").getAsLong(),
                                    entry.get("violated").getAsString()));
                }
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return findings;
    }

    private static String toJson(Map<String, Finding> findings) {
        var json = new JsonObject();
        findings.forEach((name, finding) -> {
            var entry = new JsonObject();
            entry.addProperty("seed", finding.seed());
            entry.addProperty("violated", finding.property());
            json.add(name, entry);
        });
        return new GsonBuilder().setPrettyPrinting().create().toJson((JsonElement) json);
    }

    // ---- the program with a defect ----

    private static ClassLoader load(Mutant defect) {
        return MutantCompiler.loadProgram(defect, mutatedSources(defect));
    }

    /** Calls a static method of the program. Its arguments and result have types of the Java runtime only. */
    private static Object call(Mutant defect, ClassLoader program, Class<?> owner, String name, Object... arguments) {
        try {
            var method = Arrays.stream(program.loadClass(owner.getName()).getDeclaredMethods())
                    .filter(each -> each.getName().equals(name))
                    .findFirst()
                    .orElseThrow();
            method.setAccessible(true);
            return requireNonNull(method.invoke(null, arguments));
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
