package habemus.cli;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.lab.bench.MarkedPage;
import habemus.lab.museum.Kills;
import habemus.lab.museum.Museum;
import habemus.lab.museum.Mutant;
import habemus.lab.museum.Page;
import habemus.lab.museum.Workshop;
import habemus.lab.picture.RunSvg;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.ParseResult;

/** {@code habemus museum}: the algorithms with a line changed, and the runs that show what comes of it. */
final class MuseumCommand implements Command {

    private static final String SECTION = "Options:";

    @Override
    public String name() {
        return "museum";
    }

    @Override
    public String summary() {
        return "Shows mutants: an algorithm with one line changed, and a shortest run that shows what breaks.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return new Sheet(this, "[ALGORITHM | ALGORITHM/MUTANT] [options]")
                .words("ALGORITHM", false)
                .value(SECTION, "--svg", "FILE", "draws the run of one mutant")
                .value(SECTION, "--search", "FILE", "searches all runs anew, and records them in FILE")
                .value(SECTION, "--write", "FILE", "also puts all of them into FILE, between its two marks")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .value(SECTION, "--color", "WHEN", "auto, always or never")
                .help(SECTION)
                .example(
                        "habemus museum",
                        "habemus museum central",
                        "habemus museum ricart-agrawala/forget-the-tie-break --svg tie.svg");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var named = parsed.matchedPositionals().stream()
                .flatMap(one -> one.stringValues().stream())
                .findFirst();
        var mutants = named.map(MuseumCommand::named).orElseGet(Mutant::all);
        var svg = Output.text(parsed, "--svg");
        var record = Output.text(parsed, "--search");
        var page = Output.text(parsed, "--write");
        check(mutants, svg.isPresent(), record.isPresent() || page.isPresent(), named.isPresent());
        var paint = Paint.of(Output.text(parsed, "--color").orElse("auto"), terminal);
        page.ifPresent(MuseumCommand::place); // complains before anything is searched
        var shown = show(record.isPresent() ? Museum.empty() : Museum.open(), mutants, terminal);
        svg.ifPresent(file -> shown.exhibits().forEach(one -> WholeFile.write(file, RunSvg.draw(one.recording()))));
        record.ifPresent(file -> WholeFile.write(file, Kills.json(shown.kills())));
        page.ifPresent(file -> WholeFile.write(file, place(file).with(Page.of(shown.exhibits()))));
        terminal.out()
                .print(
                        parsed.hasMatchedOption("--json")
                                ? shown.json() + "\n"
                                : named.isPresent() ? shown.text(paint) : shown.table());
        return shown.survivors().isEmpty() ? ExitCode.DONE : ExitCode.VIOLATED;
    }

    private static void check(List<Mutant> mutants, boolean drawn, boolean written, boolean named) {
        if (drawn && mutants.size() != 1) {
            throw Refusal.wrong(
                    "--svg draws one mutant, and there are " + mutants.size(), "name one, as ALGORITHM/MUTANT");
        }
        if (written && named) {
            throw Refusal.wrong("all mutants are recorded and written, not one alone", "leave out what you named");
        }
    }

    private static List<Mutant> named(String word) {
        var parts = word.split("/", 2);
        var names = Catalogue.ALL.stream()
                .map(Algorithm::name)
                .filter(name -> !Mutant.of(name).isEmpty())
                .toList();
        if (!names.contains(parts[0])) {
            throw Refusal.wrong(
                    "there are no mutants of '" + parts[0] + "'",
                    Nearest.hint(parts[0], names) + Page.COMMAND + " shows all");
        }
        var mutants = Mutant.of(parts[0]);
        if (parts.length == 1) {
            return mutants;
        }
        var known = mutants.stream().map(Mutant::name).toList();
        if (!known.contains(parts[1])) {
            throw Refusal.wrong(
                    parts[0] + " has no mutant '" + parts[1] + "'",
                    Nearest.hint(parts[1], known) + Page.COMMAND + " " + parts[0] + " shows all");
        }
        return List.of(mutants.get(known.indexOf(parts[1])));
    }

    private static MarkedPage place(String file) {
        return MarkedFile.read(file, Page.COMMAND, "the museum");
    }

    /** Two at a time, or more where there are more processors: most of the time is the compiler's. */
    private static Exhibited show(Museum museum, List<Mutant> mutants, Terminal terminal) {
        var progress = new Progress(terminal);
        var done = new AtomicInteger();
        int all = mutants.size();
        try {
            return Exhibited.of(mutants.parallelStream()
                    .map(mutant -> {
                        var shown = museum.show(
                                mutant, world -> progress.show(mutant + ", " + world.size(), done.get(), all));
                        progress.show(mutant.toString(), done.incrementAndGet(), all);
                        return new Exhibited.Shown(mutant, shown);
                    })
                    .toList());
        } catch (Workshop.NoCompiler runtime) {
            throw Refusal.cannot(
                    "a mutant has to be compiled, and this Java only runs what is compiled",
                    "set JAVA_HOME to a JDK, of 21 or newer");
        } catch (Mutant.Unfit unfit) {
            throw Refusal.cannot(String.valueOf(unfit.getMessage()), "correct it in lab/src/main/resources/mutants");
        } finally {
            progress.clear();
        }
    }
}
