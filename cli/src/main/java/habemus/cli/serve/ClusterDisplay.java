package habemus.cli.serve;

import habemus.cli.options.DurationOptions;
import habemus.cli.options.OutputOptions;
import habemus.cli.serve.ClusterView.ClusterEvent;
import habemus.cli.terminal.AnsiColors;
import habemus.cli.terminal.Terminal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** Where a scene is shown: a picture that is drawn anew where somebody looks, else a line for whatever happens. */
final class ClusterDisplay {

    private static final int MAX_RECENT_LINES = 10; // beneath the picture
    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    /** How it is shown. */
    private enum Mode {
        DASHBOARD,
        LINES,
        JSON
    }

    private final Terminal terminal;
    private final Mode mode;
    private final AnsiColors ansiColors;
    private final boolean showLogs;
    private final String title;
    private final ArrayDeque<String> recentLines = new ArrayDeque<>();

    private ClusterDisplay(Terminal terminal, Mode mode, AnsiColors ansiColors, boolean verbose, String title) {
        this.terminal = terminal;
        this.mode = mode;
        this.ansiColors = ansiColors;
        this.showLogs = verbose;
        this.title = title;
    }

    static ClusterDisplay of(ParseResult parsed, Terminal terminal, String title) {
        var mode =
                parsed.hasMatchedOption("--json") ? Mode.JSON : terminal.outIsTerminal() ? Mode.DASHBOARD : Mode.LINES;
        var ansiColors = AnsiColors.of(OutputOptions.text(parsed, "--color").orElse("auto"), terminal);
        return new ClusterDisplay(terminal, mode, ansiColors, parsed.hasMatchedOption("--verbose"), title);
    }

    void begin(ClusterView clusterView) {
        if (mode == Mode.LINES) {
            print(title + "; Ctrl-C ends it");
        }
        show(List.of(), clusterView, true);
    }

    /** @param settled whether nothing else has happened meanwhile */
    void show(List<ClusterEvent> happened, ClusterView clusterView, boolean settled) {
        for (ClusterEvent one : happened) {
            switch (mode) {
                case DASHBOARD -> addRecent(one.text());
                case LINES -> print(DurationOptions.wallClock() + " " + one.text());
                case JSON -> print(json(one));
            }
        }
        if (mode == Mode.DASHBOARD && settled) {
            terminal.out()
                    .print(CLEAR_SCREEN + ansiColors.bold(title) + "   Ctrl-C ends it\n\n"
                            + clusterView.render(ansiColors) + "\n");
            recentLines.forEach(line -> terminal.out().println(ansiColors.faint(line)));
            terminal.flush();
        }
    }

    /** What a node logs. */
    void log(String node, String line) {
        if (showLogs && mode == Mode.DASHBOARD) {
            addRecent(node + ": " + line);
        } else if (showLogs) {
            terminal.err().println(node + ": " + line);
            terminal.flush();
        }
    }

    private void addRecent(String line) {
        recentLines.add(DurationOptions.wallClock() + " " + line);
        if (recentLines.size() > MAX_RECENT_LINES) {
            recentLines.remove();
        }
    }

    private static String json(ClusterEvent one) {
        one.json().addProperty("event", one.event());
        one.json()
                .addProperty("at", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
        return one.json().toString();
    }

    private void print(String line) {
        terminal.out().println(line);
        terminal.flush();
    }
}
