package habemus.cli;

import habemus.catalogue.Algorithm;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ParseResult;

/** {@code habemus run}: one simulated run, or a scenario. */
final class RunCommand implements Command {

    private static final String NOTHING_TO_RUN =
            "name an algorithm, gallery:NAME or a file, as in habemus run bully -n 5";

    @Override
    public String name() {
        return "run";
    }

    @Override
    public String summary() {
        return "Makes one run by its seed: diagram, counts, the verdict of every property.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        var sheet = new Sheet(this, "ALGORITHM | gallery:NAME | FILE.scenario  [options]").words("ALGORITHM", false);
        RunSyntax.add(sheet, RunSyntax.named(args));
        Output.add(sheet)
                .flag("What to do with it:", "--shrink", "if it violates something: shows a short run that does, too")
                .flag("Of a scenario in a file:", "--rewrite", "records what is said now")
                .example(
                        "habemus run ricart-agrawala -n 3 --seed 7",
                        "habemus run ricart-agrawala -n 5 --loss 0.1 --shrink",
                        "habemus run bully -n 5 --crash 5@0 --initiators 1 --svg bully.svg",
                        "habemus run chang-roberts -n 8 --topology ring:random --network bag --json",
                        "habemus run ricart-agrawala -n 2 --moves 1ask.2from1.1from2.2ask.1from2",
                        "habemus run gallery:ra-41-34");
        return sheet;
    }

    /** Reads what may stand in a scenario: an algorithm and its world. */
    static RunWords read(List<String> args) {
        var sheet = new Sheet(new RunCommand(), "").words("ALGORITHM", false);
        RunSyntax.add(sheet, RunSyntax.named(args));
        var parsed = sheet.parse(RunSyntax.prepared(args));
        return RunWords.of(algorithm(target(parsed)), RunSyntax.given(parsed));
    }

    private static Algorithm algorithm(String target) {
        if (Gallery.isScenario(target)) {
            throw Refusal.wrong("a scenario does not run another", "name an algorithm");
        }
        return RunSyntax.algorithm(target);
    }

    private static String target(ParseResult parsed) {
        var words = parsed.matchedPositionals();
        if (words.isEmpty()) {
            throw Refusal.wrong("there is nothing to run", NOTHING_TO_RUN);
        }
        return words.getFirst().stringValues().getFirst();
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var target = target(parsed);
        var output = Output.of(parsed);
        var given = RunSyntax.given(parsed);
        boolean rewrite = parsed.hasMatchedOption("--rewrite");
        if (Gallery.isScenario(target)) {
            refuseAny(given.keySet());
            refuseAny(parsed.hasMatchedOption("--shrink") ? Set.of("--shrink") : Set.of());
            return rewrite ? rewrite(target, output, terminal) : play(target, output, terminal);
        }
        var words = RunWords.of(RunSyntax.algorithm(target), given);
        if (rewrite) {
            throw Refusal.wrong("--rewrite is for scenarios, and " + target + " is an algorithm", "leave it out");
        }
        return parsed.hasMatchedOption("--shrink")
                ? shrink(words, output, terminal)
                : perform(words, output, terminal, "", Optional.empty());
    }

    /** Shows the short run in place of the one that was asked for, if there is one. */
    private static int shrink(RunWords words, Output output, Terminal terminal) {
        if (words.has(WorldOption.MOVES)) {
            throw Refusal.wrong("--shrink is for simulated runs", "leave out --moves, or --shrink");
        }
        var experiment = ExperimentReader.read(words);
        var violated = ShortRun.violated(experiment.run());
        var shorter = violated.flatMap(property -> ShortRun.of(experiment, property));
        var note = violated.isEmpty()
                ? "nothing to shrink: nothing is violated"
                : shorter.map(ShortRun::text).orElse(ShortRun.NONE);
        return perform(shorter.map(ShortRun::words).orElse(words), output, terminal, note, shorter);
    }

    /** @param note what is said before it, to people */
    private static int perform(
            RunWords words, Output output, Terminal terminal, String note, Optional<ShortRun> shorter) {
        var paint = Paint.of(output.color(), terminal);
        var performance = Performance.of(ExperimentReader.read(words), output, terminal.out());
        var people = output.traceToOut() ? terminal.err() : terminal.out();
        if (output.json()) {
            var json = RunJson.of(performance, output);
            shorter.ifPresent(run -> json.add("shrunk", run.json()));
            terminal.out().println(json);
        } else {
            if (!note.isEmpty()) {
                people.println(note);
                people.println();
            }
            RunReport.print(performance, output, paint, people);
        }
        return performance.exitCode();
    }

    private static void refuseAny(Set<String> given) {
        given.stream().findFirst().ifPresent(name -> {
            throw Refusal.wrong(
                    name + " does not go with a scenario, which says itself what is run",
                    "run the algorithm, or change the file");
        });
    }

    private static int play(String target, Output output, Terminal terminal) {
        Paint.of(output.color(), terminal); // complains before anything is run
        var scenario = Gallery.read(target);
        var played = ScenarioPlayer.play(scenario, output, terminal.out());
        if (output.json()) {
            terminal.out().println(ScenarioPlayer.json(scenario, played, output));
        } else {
            ScenarioPlayer.print(scenario, played, output, terminal);
        }
        return exitCode(played);
    }

    private static int rewrite(String target, Output output, Terminal terminal) {
        if (!Gallery.isFile(target)) {
            throw Refusal.wrong(
                    "--rewrite is for files, and " + target + " is packed",
                    "give the file, as in habemus run scenarios/NAME.scenario --rewrite");
        }
        var scenario = Gallery.read(target);
        var played = ScenarioPlayer.play(scenario, output, terminal.out());
        WholeFile.write(target, ScenarioPlayer.rewritten(scenario, played).format());
        if (output.json()) {
            terminal.out().println(ScenarioPlayer.json(scenario, played, output));
        } else {
            long changed = played.stream().filter(one -> !one.asRecorded()).count();
            terminal.out().println(target + ": " + changed + " of " + played.size() + " answers changed");
        }
        return exitCode(played);
    }

    private static int exitCode(List<ScenarioPlayer.Played> played) {
        return played.stream()
                .mapToInt(one -> one.performance().exitCode())
                .max()
                .orElse(ExitCode.DONE);
    }
}
