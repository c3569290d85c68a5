package habemus.cli;

import habemus.cli.Scene.Happening;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** Where a scene is shown: a picture that is drawn anew where somebody looks, else a line for whatever happens. */
final class Screen {

    private static final int LINES = 10; // beneath the picture
    private static final String CLEAR = "\u001b[H\u001b[2J";

    /** How it is shown. */
    private enum Form {
        PICTURE,
        LINES,
        JSON
    }

    private final Terminal terminal;
    private final Form form;
    private final Paint paint;
    private final boolean verbose;
    private final String title;
    private final ArrayDeque<String> last = new ArrayDeque<>();

    private Screen(Terminal terminal, Form form, Paint paint, boolean verbose, String title) {
        this.terminal = terminal;
        this.form = form;
        this.paint = paint;
        this.verbose = verbose;
        this.title = title;
    }

    static Screen of(ParseResult parsed, Terminal terminal, String title) {
        var form = parsed.hasMatchedOption("--json") ? Form.JSON : terminal.outIsTerminal() ? Form.PICTURE : Form.LINES;
        var paint = Paint.of(Output.text(parsed, "--color").orElse("auto"), terminal);
        return new Screen(terminal, form, paint, parsed.hasMatchedOption("--verbose"), title);
    }

    void begin(Scene scene) {
        if (form == Form.LINES) {
            print(title + "; Ctrl-C ends it");
        }
        show(List.of(), scene, true);
    }

    /** @param settled whether nothing else has happened meanwhile */
    void show(List<Happening> happened, Scene scene, boolean settled) {
        for (Happening one : happened) {
            switch (form) {
                case PICTURE -> remember(one.text());
                case LINES -> print(Times.clock() + " " + one.text());
                case JSON -> print(json(one));
            }
        }
        if (form == Form.PICTURE && settled) {
            terminal.out().print(CLEAR + paint.bold(title) + "   Ctrl-C ends it\n\n" + scene.picture(paint) + "\n");
            last.forEach(line -> terminal.out().println(paint.faint(line)));
            terminal.flush();
        }
    }

    /** What a node logs. */
    void log(String node, String line) {
        if (verbose && form == Form.PICTURE) {
            remember(node + ": " + line);
        } else if (verbose) {
            terminal.err().println(node + ": " + line);
            terminal.flush();
        }
    }

    private void remember(String line) {
        last.add(Times.clock() + " " + line);
        if (last.size() > LINES) {
            last.remove();
        }
    }

    private static String json(Happening one) {
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
