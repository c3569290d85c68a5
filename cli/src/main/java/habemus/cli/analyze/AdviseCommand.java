package habemus.cli.analyze;

import habemus.catalogue.Catalogue;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.advice.Advice;
import habemus.lab.advice.Priority;
import habemus.lab.advice.Requirements;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.NumberOptions;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.experiment.LatencyParser;
import habemus.lab.experiment.OptionValue;
import habemus.lab.experiment.WorldOption;
import habemus.lab.timeout.DelayDistribution;
import habemus.lab.timeout.TimeoutCost;
import habemus.world.FaultKind;
import habemus.world.Problem;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine.ParseResult;

/** {@code habemus advise}: the algorithms that fit a system, and why the others do not. */
public final class AdviseCommand implements Subcommand {

    private static final String SECTION = "The system:";
    private static final String OUTPUT = "Output:";
    private static final long MAX_NODES = 1_000_000;
    private static final int DEFAULT_NODES = 3;
    private static final List<String> PROBLEMS = List.of("mutex", "election");
    private static final String NONE = "none";

    @Override
    public String name() {
        return "advise";
    }

    @Override
    public String summary() {
        return "Advises which algorithm fits a system: how many nodes, which faults, what latency, and what matters.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "[mutex | election] [options]; asks if nothing is given")
                .positionals("PROBLEM", false)
                .value(SECTION, "-n", "N", "number of nodes (default: " + DEFAULT_NODES + ")")
                .value(
                        SECTION,
                        "--faults",
                        "FAULT,…",
                        "faults that may occur: " + String.join(", ", FaultKinds.names()) + " (default: none)")
                .value(
                        SECTION,
                        "--latency",
                        "TIME",
                        "delay of a message in milliseconds, as in habemus timeout: computes timeouts and leases")
                .value(
                        SECTION,
                        "--waiting",
                        "COST",
                        NumberOptions.positive().withDefault(1),
                        "cost of a millisecond of waiting, for the timeouts")
                .value(
                        SECTION,
                        "--mistake",
                        "COST",
                        NumberOptions.positive().withDefault(1000),
                        "cost of a message that is later than the timeout")
                .value(SECTION, "--matters", "WHAT,…", "what matters: " + describePriorities())
                .jsonFlag(OUTPUT)
                .helpOption(OUTPUT)
                .examples(
                        "habemus advise",
                        "habemus advise mutex -n 5 --faults crash --latency lognormal:20,0.6 --matters messages",
                        "habemus advise election -n 5 --faults loss,partition --matters no-single-point");
    }

    private static String describePriorities() {
        return String.join(
                ", ",
                Arrays.stream(Priority.values())
                        .map(priority -> priority + " (" + priority.sentence() + ")")
                        .toList());
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var answers = isAsked(parsed, terminal) ? new Questions(terminal).ask() : answers(parsed);
        var latency = answers.latency();
        var timeout = latency.map(text -> new TimeoutCost(
                        DelayDistribution.of(LatencyParser.parse(new OptionValue(WorldOption.LATENCY, text), text)),
                        ParsedOptions.<Double>get(parsed, "--waiting"),
                        ParsedOptions.<Double>get(parsed, "--mistake"))
                .best());
        var requirements =
                new Requirements(answers.problem(), answers.nodes(), answers.faults(), timeout, answers.priorities());
        var output = new AdviceOutput(Advice.of(requirements, Catalogue.ALL), latency);
        terminal.out()
                .print(parsed.hasMatchedOption("--json") ? output.json() + "\n" : output.text(terminal.columns()));
        return ExitCode.OK;
    }

    private static boolean isAsked(ParseResult parsed, Terminal terminal) {
        return terminal.isInteractive()
                && ParsedOptions.firstArgument(parsed).isEmpty()
                && parsed.matchedOptions().isEmpty();
    }

    private static Answers answers(ParseResult parsed) {
        var problem = problem(ParsedOptions.firstArgument(parsed)
                .orElseThrow(() ->
                        CommandException.usage("PROBLEM is missing", "habemus advise mutex -n 5 --faults crash")));
        var priorities = ParsedOptions.text(parsed, "--matters")
                .map(AdviseCommand::priorities)
                .orElse(Set.of());
        if (problem == Problem.ELECTION && priorities.contains(Priority.FAIRNESS)) {
            throw CommandException.usage("--matters fairness is for mutex: an election has no waiters", "leave it out");
        }
        return new Answers(
                problem,
                ParsedOptions.text(parsed, "-n").map(AdviseCommand::nodes).orElse(DEFAULT_NODES),
                ParsedOptions.text(parsed, "--faults")
                        .map(AdviseCommand::faults)
                        .orElse(Set.of()),
                ParsedOptions.text(parsed, "--latency"),
                priorities);
    }

    private record Answers(
            Problem problem, int nodes, Set<FaultKind> faults, Optional<String> latency, Set<Priority> priorities) {}

    private static Problem problem(String word) {
        return Arrays.stream(Problem.values())
                .filter(problem -> PROBLEMS.contains(word) && problem.toString().equals(word))
                .findFirst()
                .orElseThrow(() -> CommandException.usage(
                        "unknown problem: '" + word + "'",
                        SpellingSuggestion.hint(word, PROBLEMS) + "use mutex or election"));
    }

    private static int nodes(String text) {
        if (!text.matches("\\d{1,7}") || Integer.parseInt(text) < 2 || Integer.parseInt(text) > MAX_NODES) {
            throw CommandException.usage(
                    "-n must be a whole number from 2 to " + MAX_NODES + ", was '" + text + "'",
                    "write -n " + DEFAULT_NODES);
        }
        return Integer.parseInt(text);
    }

    private static Set<FaultKind> faults(String text) {
        return text.equals(NONE) ? Set.of() : FaultKinds.parse("--faults", text);
    }

    private static Set<Priority> priorities(String text) {
        var priorities = EnumSet.noneOf(Priority.class);
        var names = Arrays.stream(Priority.values()).map(Priority::toString).toList();
        for (String word : text.split(",", -1)) {
            priorities.add(Priority.find(word)
                    .orElseThrow(() -> CommandException.usage(
                            "--matters: unknown word: '" + word + "'",
                            SpellingSuggestion.hint(word, names) + "use " + String.join(", ", names))));
        }
        return priorities;
    }

    /** Asks a person at a terminal. An empty answer is the default, and a wrong one is asked again. */
    private record Questions(Terminal terminal) {

        Answers ask() {
            var problem =
                    ask("Mutual exclusion or leader election? (mutex, election)", "mutex", AdviseCommand::problem);
            return new Answers(
                    problem,
                    ask("How many nodes?", Integer.toString(DEFAULT_NODES), AdviseCommand::nodes),
                    ask("Which faults? (" + String.join(", ", FaultKinds.names()) + ")", NONE, AdviseCommand::faults),
                    ask("What delay has a message? (fixed:1, uniform:1..5, exp:3, lognormal:20,0.6)", NONE, text -> {
                        if (!text.equals(NONE)) {
                            LatencyParser.parse(new OptionValue(WorldOption.LATENCY, text), text);
                        }
                        return Optional.of(text).filter(given -> !given.equals(NONE));
                    }),
                    ask(
                            "What matters? (" + String.join(", ", AdviceOutput.words(EnumSet.allOf(Priority.class)))
                                    + ")",
                            NONE,
                            text -> text.equals(NONE) ? Set.of() : priorities(text)));
        }

        private <T> T ask(String question, String defaultAnswer, Function<String, T> parser) {
            while (true) {
                terminal.out().print(question + " [" + defaultAnswer + "] ");
                terminal.out().flush();
                var line = read();
                try {
                    return parser.apply(line.isEmpty() ? defaultAnswer : line);
                } catch (CommandException wrong) {
                    terminal.out().println(wrong.message());
                    terminal.out().println("hint: " + wrong.hint());
                }
            }
        }

        private String read() {
            try {
                return Optional.ofNullable(terminal.in().readLine())
                        .orElseThrow(() -> CommandException.usage(
                                "the input ended before all questions were answered",
                                "give the answers as options: habemus advise --help"))
                        .strip();
            } catch (IOException unreadable) {
                throw CommandException.failure(
                        "cannot read the answer", "give the answers as options: habemus advise --help");
            }
        }
    }
}
