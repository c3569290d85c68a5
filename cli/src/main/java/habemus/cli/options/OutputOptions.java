package habemus.cli.options;

import habemus.lab.command.CommandException;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/**
 * How a run is printed, and which files it is written to.
 *
 * @param trace a file, or {@code -} for the standard output
 * @param diagram whether to print the diagram; empty: if it is small enough
 * @param color {@code auto}, {@code always} or {@code never}
 */
public record OutputOptions(
        boolean json,
        Optional<String> svg,
        Optional<String> logSvg,
        Optional<String> mermaid,
        Optional<String> traffic,
        Optional<String> trace,
        Optional<Boolean> diagram,
        String color) {

    /** No files, no colours. */
    public static final OutputOptions NONE = new OutputOptions(
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "never");

    public static final String SECTION = "Output:";

    private static final String TRACE = "writes every event, one JSON object a line (FILE.txt: as text);"
            + " -: to the standard output, or into the JSON document";

    public static CommandSyntax add(CommandSyntax syntax) {
        return syntax.jsonFlag(SECTION)
                .value(SECTION, "--trace", "FILE", TRACE)
                .value(SECTION, "--svg", "FILE", "draws a space-time diagram with waiting and holding times")
                .value(SECTION, "--log-svg", "FILE", "draws the logs of all nodes at the end, for a replicated log")
                .value(SECTION, "--mermaid", "FILE", "writes a Mermaid sequence diagram")
                .value(SECTION, "--traffic", "FILE", "draws the number of messages on every link")
                .flag(SECTION, "--diagram", "prints the diagram, however long it is")
                .flag(SECTION, "--no-diagram", "prints no diagram")
                .colorOption(SECTION)
                .helpOption(SECTION);
    }

    public static OutputOptions of(ParseResult parsed) {
        boolean shown = parsed.hasMatchedOption("--diagram");
        boolean hidden = parsed.hasMatchedOption("--no-diagram");
        if (shown && hidden) {
            throw CommandException.usage("--diagram and --no-diagram exclude each other", "give one of them");
        }
        return new OutputOptions(
                parsed.hasMatchedOption("--json"),
                ParsedOptions.find(parsed, "--svg"),
                ParsedOptions.find(parsed, "--log-svg"),
                ParsedOptions.find(parsed, "--mermaid"),
                ParsedOptions.find(parsed, "--traffic"),
                ParsedOptions.find(parsed, "--trace"),
                shown || hidden ? Optional.of(shown) : Optional.empty(),
                ParsedOptions.get(parsed, "--color"));
    }

    /** @throws CommandException if {@code --log-svg} is given and the run has no replicated log */
    public void rejectLogSvgUnless(boolean hasLog) {
        if (logSvg.isPresent() && !hasLog) {
            throw CommandException.usage(
                    "--log-svg draws replicated logs, and this run has none", "use --svg for a space-time diagram");
        }
    }

    public boolean isTraceToStdout() {
        return trace.filter("-"::equals).isPresent();
    }

    public boolean hasDrawing() {
        return svg.isPresent()
                || logSvg.isPresent()
                || mermaid.isPresent()
                || traffic.isPresent()
                || diagram.orElse(false);
    }

    /** The options for one run of several: {@code run.svg} becomes {@code run-2.svg}. */
    public OutputOptions withNumber(int number) {
        return new OutputOptions(
                json,
                svg.map(file -> numbered(file, number)),
                logSvg.map(file -> numbered(file, number)),
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
