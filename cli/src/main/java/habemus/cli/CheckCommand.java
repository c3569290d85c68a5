package habemus.cli;

import habemus.check.Checker;
import habemus.check.Effort;
import habemus.check.Scope;
import habemus.check.Victim;
import habemus.protocol.NodeSet;
import habemus.world.Hazard;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Workload;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.ParseResult;

/** {@code habemus check}: every run of a small world. */
final class CheckCommand implements Command {

    private static final String HAPPENS = "What may happen, and how often:";
    private static final String SEARCH = "The search:";
    private static final long STATES = 50_000_000;
    private static final long SECONDS = 600;

    private static final List<WorldOption> WORLD = List.of(
            WorldOption.NODES,
            WorldOption.SEED,
            WorldOption.TOPOLOGY,
            WorldOption.DISCONNECTED,
            WorldOption.RANK,
            WorldOption.NETWORK,
            WorldOption.ENTRIES,
            WorldOption.CALLERS,
            WorldOption.INITIATORS,
            WorldOption.DETECTOR);

    private static final Map<String, Hazard> BUDGETS = budgets();

    private static Map<String, Hazard> budgets() {
        var budgets = new LinkedHashMap<String, Hazard>();
        budgets.put("--crashes", Hazard.CRASH);
        budgets.put("--restarts", Hazard.RESTART);
        budgets.put("--amnesias", Hazard.AMNESIA);
        budgets.put("--losses", Hazard.LOSS);
        budgets.put("--duplicates", Hazard.DUPLICATION);
        budgets.put("--partitions", Hazard.PARTITION);
        budgets.put("--pauses", Hazard.PAUSE);
        budgets.put("--mistakes", Hazard.MISTAKE);
        return budgets;
    }

    @Override
    public String name() {
        return "check";
    }

    @Override
    public String summary() {
        return "Looks at every run of a small world: the verdict of every property, and a shortest counterexample.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        var sheet = new Sheet(this, "ALGORITHM [options]").words("ALGORITHM", false);
        RunSyntax.add(sheet, RunSyntax.named(args), WORLD);
        BUDGETS.forEach((name, hazard) -> sheet.value(HAPPENS, name, "K", "so often " + hazard.sentence()));
        sheet.value(
                        HAPPENS,
                        "--alarms",
                        "K",
                        "so many alarms ring at most (standard: any number; none where an algorithm retries)")
                .value(HAPPENS, "--timing", "KIND", "asynchronous: alarms at any time; synchronous: after all messages")
                .value(HAPPENS, "--victim", "WHO", "who crashes: " + victims())
                .flag(HAPPENS, "--cuts", "a crash may also happen amid a step, after some of its effects")
                .value(SEARCH, "--property", "NAME,…", "judges only these, which makes fewer states")
                .value(
                        SEARCH,
                        "--reduce",
                        "WHAT,…",
                        "meets fewer states: order, if steps commute; symmetry, if names do not matter")
                .value(SEARCH, "--states", "N", "gives up after so many (standard: " + STATES + ")")
                .value(SEARCH, "--seconds", "N", "gives up after so long (standard: " + SECONDS + ")")
                .flag(SEARCH, "--compact", "keeps hashes of 64 bits in place of states: less memory, not quite exact")
                .value(SEARCH, "--depth", "N", "looks at most so many steps ahead (standard: any number)")
                .value(SEARCH, "--megabytes", "N", "gives up when it takes so much (standard: half of the heap)")
                .value(SEARCH, "--threads", "N", "how many search (standard: 1)");
        return Output.add(sheet)
                .example(
                        "habemus check ricart-agrawala -n 3 --entries 2",
                        "habemus check ricart-agrawala-by-priority --svg broken.svg",
                        "habemus check bully -n 3 --crashes 1 --timing synchronous --property uniqueness,agreement",
                        "habemus check central -n 3 --crashes 1 --victim holder",
                        "habemus check central -n 3 --lease 400 --pauses 1 --timing synchronous");
    }

    private static String victims() {
        return Arrays.stream(Victim.values())
                        .filter(victim -> victim != Victim.ANYONE)
                        .map(victim -> victim + ", " + victim.sentence())
                        .collect(Collectors.joining("; "))
                + " (standard: " + Victim.ANYONE + ")";
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        if (parsed.matchedPositionals().isEmpty()) {
            throw Refusal.wrong("there is nothing to check", "name an algorithm, as in habemus check lamport");
        }
        var name = parsed.matchedPositionals().getFirst().stringValues().getFirst();
        var experiment = ExperimentReader.read(RunWords.of(RunSyntax.algorithm(name), RunSyntax.given(parsed, WORLD)));
        var properties = properties(parsed, experiment);
        var output = Output.of(parsed);
        var paint = Paint.of(output.color(), terminal);
        try (var lookout = new Lookout(terminal);
                var files = new RunFiles(output)) {
            var scope = scope(parsed, experiment, lookout);
            long started = System.nanoTime();
            var report = Checker.check(experiment.algorithm().make(experiment.setting()), scope, properties);
            var checked = new Checked(experiment, scope, report, (System.nanoTime() - started) / 1e9);
            lookout.clear();
            checked.counterexample().lines().forEach(files::write);
            files.finish(checked::counterexample, scope.topology());
            if (output.json()) {
                terminal.out().println(checked.json());
            } else {
                checked.print(paint, terminal.out());
            }
            return checked.verdict().equals(Checked.HOLDS) ? ExitCode.DONE : ExitCode.VIOLATED;
        }
    }

    private static Scope scope(ParseResult parsed, Experiment experiment, Effort.Watch watch) {
        var world = experiment.world();
        if (world.network().loss() > 0 || world.network().duplication() > 0) {
            throw Refusal.wrong(
                    "a check does not draw what is lost or doubled, it counts",
                    "use --losses 1 or --duplicates 1, with --network fifo or bag");
        }
        var callers = NodeSet.of(
                world.workload().calls().stream().map(Workload.Call::node).toList());
        var scope = Moves.scope(experiment, Output.text(parsed, "--timing").orElse("asynchronous"))
                .calling(callers, world.workload().entries())
                .ringing(alarms(parsed, experiment))
                .spending(effort(parsed).watchedBy(watch));
        scope = parsed.hasMatchedOption("--cuts") ? scope.cutting() : scope;
        int back = count(parsed, "--restarts", 0) + count(parsed, "--amnesias", 0);
        for (var budget : BUDGETS.entrySet()) {
            int times = count(parsed, budget.getKey(), budget.getValue() == Hazard.CRASH ? back : 0);
            scope = times == 0 ? scope : scope.allowing(budget.getValue(), times);
        }
        if (scope.timing() == Scope.Timing.ASYNCHRONOUS && count(parsed, "--pauses", 0) > 0) {
            throw Refusal.wrong(
                    "--pauses: where alarms ring at any time, who stands still is only slow, which any node may be",
                    "use --timing synchronous, or leave it out");
        }
        return striking(parsed, experiment, scope);
    }

    private static Scope striking(ParseResult parsed, Experiment experiment, Scope scope) {
        var text = Output.text(parsed, "--victim");
        if (text.isEmpty()) {
            return scope;
        }
        var victim = victim(text.get());
        var coordinators = experiment.algorithm().coordinators().apply(experiment.setting());
        if (!scope.hazards().containsKey(Hazard.CRASH)) {
            throw Refusal.wrong("--victim: nobody crashes here", "use it with --crashes 1");
        }
        if (victim == Victim.COORDINATOR && coordinators.isEmpty()) {
            throw Refusal.wrong(
                    "--victim: " + experiment.name() + " has no coordinator here, all nodes are alike",
                    "it is anyone, bystander, waiter or holder");
        }
        if (victim != Victim.ANYONE && experiment.algorithm().problem() == Problem.DETECTOR) {
            throw Refusal.wrong("--victim: nobody waits for a detector, or is let in by it", "it is anyone");
        }
        return scope.striking(victim, coordinators);
    }

    private static Victim victim(String name) {
        var names = Arrays.stream(Victim.values()).map(Victim::toString).toList();
        if (!names.contains(name)) {
            throw Refusal.wrong(
                    "--victim: nobody is a " + name, Nearest.hint(name, names) + "it is " + String.join(", ", names));
        }
        return Victim.values()[names.indexOf(name)];
    }

    private static int alarms(ParseResult parsed, Experiment experiment) {
        int standard = experiment.algorithm().alarms();
        return parsed.hasMatchedOption("--alarms") ? count(parsed, "--alarms", Scope.MANY) : standard;
    }

    private static Effort effort(ParseResult parsed) {
        var effort = parsed.hasMatchedOption("--compact") ? reduced(parsed).compacting() : reduced(parsed);
        return effort.states(Output.number(parsed, "--states", STATES))
                .time(Duration.ofSeconds(Output.number(parsed, "--seconds", SECONDS)))
                .depth(count(parsed, "--depth", Scope.MANY))
                .bytes(Output.number(parsed, "--megabytes", effort.bytes() >> 20) << 20)
                .threads(count(parsed, "--threads", 1));
    }

    private static Effort reduced(ParseResult parsed) {
        var effort = Effort.ample();
        for (String what : Output.text(parsed, "--reduce").stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .toList()) {
            effort = switch (what) {
                case "order" -> effort.reducingOrder();
                case "symmetry" -> effort.reducingSymmetry();
                case "all" -> effort.reducingOrder().reducingSymmetry();
                default ->
                    throw Refusal.wrong(
                            "--reduce: there is no reduction by " + what, "there are order, symmetry and all");
            };
        }
        return effort;
    }

    private static int count(ParseResult parsed, String option, int standard) {
        return (int) Math.min(Scope.MANY, Output.number(parsed, option, standard));
    }

    private static Property[] properties(ParseResult parsed, Experiment experiment) {
        var all = Property.of(experiment.algorithm().make(experiment.setting()));
        return Output.text(parsed, "--property")
                .map(text -> Arrays.stream(text.split(",", -1))
                        .map(name -> property(name, all))
                        .toArray(Property[]::new))
                .orElse(new Property[0]);
    }

    private static Property property(String name, List<Property> all) {
        var names = all.stream().map(Property::toString).toList();
        if (!names.contains(name)) {
            throw Refusal.wrong(
                    "--property: there is no " + name + " here",
                    Nearest.hint(name, names) + "there are " + String.join(", ", names));
        }
        return all.get(names.indexOf(name));
    }
}
