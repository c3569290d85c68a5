package habemus.cli.serve;

import habemus.cli.options.DurationOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.serve.ClusterView.ClusterEvent;
import habemus.cli.terminal.Terminal;
import habemus.lab.table.AnsiColors;
import habemus.lab.trace.NodeNames;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** Shows a cluster: a dashboard on a terminal, otherwise one line or one JSON document an event. */
final class ClusterDisplay {

    private static final int MAX_RECENT_LINES = 10; // below the dashboard
    private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";

    private enum Mode {
        DASHBOARD,
        LINES,
        JSON
    }

    private final Terminal terminal;
    private final Mode mode;
    private final AnsiColors colors;
    private final boolean showLogs;
    private final boolean jsonLogs;
    private final String title;
    private final NodeNames names;
    private final ArrayDeque<String> recentLines = new ArrayDeque<>();

    private ClusterDisplay(ParseResult parsed, Terminal terminal, Mode mode, String title, NodeNames names) {
        this.terminal = terminal;
        this.mode = mode;
        colors = terminal.colors(ParsedOptions.get(parsed, "--color"));
        showLogs = parsed.hasMatchedOption("--verbose");
        jsonLogs = ParsedOptions.get(parsed, "--log-format").equals("json");
        this.title = title;
        this.names = names;
    }

    /** @param names shown in place of node ids */
    static ClusterDisplay of(ParseResult parsed, Terminal terminal, String title, NodeNames names) {
        var mode =
                parsed.hasMatchedOption("--json") ? Mode.JSON : terminal.outIsTerminal() ? Mode.DASHBOARD : Mode.LINES;
        return new ClusterDisplay(parsed, terminal, mode, title, names);
    }

    void begin(ClusterView clusterView) {
        if (mode == Mode.LINES) {
            print("Starting " + title + "; Ctrl-C stops it");
        }
        show(List.of(), clusterView, true);
    }

    /** @param settled whether no further event is pending, so that the dashboard is worth a redraw */
    void show(List<ClusterEvent> events, ClusterView clusterView, boolean settled) {
        for (ClusterEvent event : events) {
            switch (mode) {
                case DASHBOARD ->
                    addRecent(names.in(event.text()).lines().findFirst().orElse(""));
                case LINES -> print(DurationOptions.wallClock() + " " + names.in(event.text()));
                case JSON -> print(json(event));
            }
        }
        if (mode == Mode.DASHBOARD && settled) {
            terminal.out()
                    .print(CLEAR_SCREEN + colors.bold(title) + "   Ctrl-C stops it\n\n"
                            + names.in(clusterView.render(colors)) + "\n");
            recentLines.forEach(line -> terminal.out().println(colors.faint(line)));
            terminal.flush();
        }
    }

    /** Shows a log line of a node. */
    void log(String node, String line) {
        if (showLogs && mode == Mode.DASHBOARD) {
            addRecent(node + ": " + line);
        } else if (showLogs) {
            terminal.err().println(jsonLogs ? line : node + ": " + line);
            terminal.flush();
        }
    }

    private void addRecent(String line) {
        recentLines.add(DurationOptions.wallClock() + " " + line);
        if (recentLines.size() > MAX_RECENT_LINES) {
            recentLines.remove();
        }
    }

    private String json(ClusterEvent event) {
        event.json().addProperty("event", event.kind());
        event.json()
                .addProperty("at", Instant.now().truncatedTo(ChronoUnit.MILLIS).toString());
        return names.in(event.json()).toString();
    }

    private void print(String line) {
        terminal.out().println(line);
        terminal.flush();
    }
}
