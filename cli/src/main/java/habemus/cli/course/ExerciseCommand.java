package habemus.cli.course;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.course.exercise.CriterionResult;
import habemus.course.exercise.Exercise;
import habemus.course.exercise.ExerciseMark;
import habemus.course.threads.StressReport;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.NumberOptions;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.diagram.svg.RunSvg;
import habemus.lab.language.Language;
import habemus.lab.source.InMemoryCompiler;
import habemus.lab.source.InvalidSourceException;
import habemus.lab.source.SourceFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** {@code habemus exercise}: lists the exercises, shows one, and marks a student's file. */
public final class ExerciseCommand implements Subcommand {

    private static final String SECTION = "Exercises:";
    private static final String OUTPUT = "Output:";
    private static final List<String> ACTIONS = List.of("list", "show", "check");

    @Override
    public String name() {
        return "exercise";
    }

    @Override
    public String summary() {
        return "Shows exercises about threads and elections, and marks a solution with reasons.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "list | show NAME | check NAME FILE  [options]")
                .positionals("ACTION", true)
                .value(SECTION, "--write", "FILE", "show: writes the Java file to fill in")
                .value(SECTION, "--hint", "N", NumberOptions.count(), "show: prints the N-th hint")
                .jsonFlag(OUTPUT)
                .value(OUTPUT, "--svg", "FILE", "check: draws the first failing run of a distributed algorithm")
                .colorOption(OUTPUT)
                .helpOption(OUTPUT)
                .examples(
                        "habemus exercise list",
                        "habemus exercise show two-locks --write TwoAccounts.java",
                        "habemus exercise show two-locks --hint 1 --lang pt",
                        "habemus exercise check two-locks TwoAccounts.java");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var arguments = ParsedOptions.arguments(parsed);
        var action = arguments.isEmpty() ? "" : arguments.getFirst();
        requireWords(arguments, action);
        rejectForeignOptions(parsed, action);
        var output = new ExerciseOutput(
                terminal.language(), terminal.colors(ParsedOptions.get(parsed, "--color")), terminal.out());
        boolean json = parsed.hasMatchedOption("--json");
        if (action.equals("list")) {
            output.list(json);
            return ExitCode.OK;
        }
        var exercise = exercise(arguments.get(1));
        return action.equals("show")
                ? show(exercise, parsed, output)
                : check(exercise, arguments.get(2), parsed, output, terminal);
    }

    private static void requireWords(List<String> arguments, String action) {
        if (!ACTIONS.contains(action)) {
            throw CommandException.usage(
                    action.isEmpty() ? "list, show or check is missing" : "unknown action: '" + action + "'",
                    SpellingSuggestion.hint(action, ACTIONS) + "habemus exercise list");
        }
        int expected = ACTIONS.indexOf(action) + 1;
        if (arguments.size() < expected) {
            throw CommandException.usage(
                    arguments.size() == 1 ? "the name of an exercise is missing" : "FILE is missing",
                    "habemus exercise " + action + " two-locks" + (expected == 3 ? " TwoAccounts.java" : ""));
        }
        if (arguments.size() > expected) {
            throw CommandException.usage(
                    "unexpected argument: '" + arguments.get(expected) + "'", "habemus exercise --help");
        }
    }

    private static void rejectForeignOptions(ParseResult parsed, String action) {
        if (!action.equals("show")) {
            ParsedOptions.reject(
                    parsed, List.of("--write", "--hint"), "is for show", "habemus exercise show two-locks --hint 1");
        }
        if (!action.equals("check")) {
            ParsedOptions.reject(parsed, List.of("--svg"), "is for check", "leave it out");
        }
    }

    private static Exercise exercise(String name) {
        return Exercise.find(name).orElseThrow(() -> {
            var names = Arrays.stream(Exercise.values()).map(Exercise::toString).toList();
            return CommandException.usage(
                    "unknown exercise: '" + name + "'",
                    SpellingSuggestion.hint(name, names) + "habemus exercise list shows all exercises");
        });
    }

    private static int show(Exercise exercise, ParseResult parsed, ExerciseOutput output) {
        var file = ParsedOptions.text(parsed, "--write");
        if (file.isPresent()) {
            write(exercise, file.get());
            output.written(exercise, file.get());
            return ExitCode.OK;
        }
        var hint = ParsedOptions.<Long>find(parsed, "--hint");
        if (hint.isEmpty()) {
            output.show(exercise, parsed.hasMatchedOption("--json"));
            return ExitCode.OK;
        }
        int hints = exercise.text(Language.ENGLISH).hints().size();
        if (hint.get() > hints) {
            throw CommandException.usage(
                    "--hint must be 1 to " + hints + " for " + exercise + ", was " + hint.get(), "write --hint 1");
        }
        output.hint(exercise, hint.get().intValue());
        return ExitCode.OK;
    }

    /** A file that exists is a student's work: it is never replaced. */
    private static void write(Exercise exercise, String name) {
        if (Files.exists(Path.of(name))) {
            throw CommandException.usage("--write: " + name + " exists", "remove it first, or name another folder");
        }
        if (!Path.of(name).endsWith(exercise.className() + SourceFile.SUFFIX)) {
            throw CommandException.usage(
                    "--write: the file must be named like its class, " + exercise.className() + SourceFile.SUFFIX
                            + ", was " + name,
                    "write --write " + exercise.className() + SourceFile.SUFFIX);
        }
        AtomicOutputFile.write(name, exercise.template());
    }

    private static int check(
            Exercise exercise, String name, ParseResult parsed, ExerciseOutput output, Terminal terminal) {
        var mark = mark(exercise, name, terminal);
        ParsedOptions.text(parsed, "--svg").ifPresent(file -> drawFirstFailure(mark, file));
        if (parsed.hasMatchedOption("--json")) {
            output.printJson(mark, name);
        } else {
            output.print(mark, name);
        }
        return mark.isFull() ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static ExerciseMark mark(Exercise exercise, String name, Terminal terminal) {
        var progress = new ProgressLine(terminal);
        try {
            return exercise.check(
                    SourceFile.read(name),
                    (task, className, classes) -> StressJvm.find()
                            .withClasses(classes)
                            .run(StressReport.ThreadFindings.class, progress, "exercise", task, className));
        } catch (InvalidSourceException invalid) {
            throw CommandException.usage(invalid.message(), invalid.hint()).withDetails(invalid.details());
        } catch (InMemoryCompiler.NoCompilerException runtime) {
            throw CommandException.failure(String.valueOf(runtime.getMessage()), "use a JDK: set JAVA_HOME to one");
        } finally {
            progress.clear();
        }
    }

    private static void drawFirstFailure(ExerciseMark mark, String file) {
        mark.results().stream()
                .map(CriterionResult::run)
                .flatMap(Optional::stream)
                .findFirst()
                .ifPresent(run -> AtomicOutputFile.write(file, RunSvg.draw(run)));
    }
}
