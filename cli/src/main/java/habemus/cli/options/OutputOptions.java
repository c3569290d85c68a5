package habemus.cli.options;

import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ShellSyntax;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/**
 * What is done with a run: how it is told, and which files are written.
 *
 * @param trace a file, or {@code -} for where the answer goes
 * @param diagram whether the diagram is wanted; nothing if that depends on its size
 */
public record OutputOptions(
        boolean json,
        Optional<String> svg,
        Optional<String> mermaid,
        Optional<String> traffic,
        Optional<String> trace,
        Optional<Boolean> diagram,
        String color) {

    /** Nothing but the run itself. */
    public static final OutputOptions NONE = new OutputOptions(
            false, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), "never");

    private static final String SECTION = "What to do with it:";
    private static final String TRACE = "everything that happened, a JSON object a line (in FILE.txt: as text);"
            + " -: on the standard output, or within the JSON document";

    public static CommandSyntax add(CommandSyntax commandSyntax) {
        return commandSyntax
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .value(SECTION, "--trace", "FILE", TRACE)
                .value(SECTION, "--svg", "FILE", "draws it, with who waited and who was inside")
                .value(SECTION, "--mermaid", "FILE", "writes it as a Mermaid sequence diagram")
                .value(SECTION, "--traffic", "FILE", "draws how many messages went which way")
                .flag(SECTION, "--diagram", "shows the diagram however long it is")
                .flag(SECTION, "--no-diagram", "shows no diagram")
                .value(SECTION, "--color", "WHEN", "auto, always or never")
                .helpOption(SECTION);
    }

    public static OutputOptions of(ParseResult parsed) {
        boolean shown = parsed.hasMatchedOption("--diagram");
        boolean hidden = parsed.hasMatchedOption("--no-diagram");
        if (shown && hidden) {
            throw CommandException.usage("--diagram and --no-diagram contradict each other", "give one of them");
        }
        return new OutputOptions(
                parsed.hasMatchedOption("--json"),
                text(parsed, "--svg"),
                text(parsed, "--mermaid"),
                text(parsed, "--traffic"),
                text(parsed, "--trace"),
                shown || hidden ? Optional.of(shown) : Optional.empty(),
                text(parsed, "--color").orElse("auto"));
    }

    public static Optional<String> text(ParseResult parsed, String option) {
        return Optional.ofNullable(parsed.matchedOptionValue(option, null));
    }

    /** A number from 1 on. */
    public static long number(ParseResult parsed, String option, long defaultValue) {
        return text(parsed, option)
                .map(text -> {
                    if (!text.matches("0*[1-9]\\d{0,11}")) {
                        var what = option + " " + ShellSyntax.quote(text) + " is not a number from 1 on";
                        throw CommandException.usage(what, "write it as in " + option + " " + defaultValue);
                    }
                    return Long.parseLong(text);
                })
                .orElse(defaultValue);
    }

    public boolean isTraceToStdout() {
        return trace.filter("-"::equals).isPresent();
    }

    public boolean hasDrawing() {
        return svg.isPresent() || mermaid.isPresent() || traffic.isPresent() || diagram.orElse(false);
    }

    /** The same for one run of several: {@code run.svg} becomes {@code run-2.svg}. */
    public OutputOptions withNumber(int number) {
        return new OutputOptions(
                json,
                svg.map(file -> numbered(file, number)),
                mermaid.map(file -> numbered(file, number)),
                traffic.map(file -> numbered(file, number)),
                trace.map(file -> file.equals("-") ? file : numbered(file, number)),
                diagram,
                color);
    }

    private static String numbered(String file, int number) {
        int dot = file.lastIndexOf('.');
        return dot <= file.lastIndexOf('/') + 1
                ? file + "-" + number
                : file.substring(0, dot) + "-" + number + file.substring(dot);
    }
}
