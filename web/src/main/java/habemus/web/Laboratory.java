package habemus.web;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import habemus.lab.command.CommandException;
import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.ExperimentParser;
import habemus.lab.experiment.Fork;
import habemus.lab.experiment.FreeRun;
import habemus.lab.experiment.RunArguments;
import habemus.lab.experiment.RunCommandLine;
import habemus.lab.trace.TraceText;
import java.util.function.Supplier;
import org.teavm.jso.JSExport;
import org.teavm.jso.JSFunctor;
import org.teavm.jso.JSObject;

/**
 * The functions of the engine that the page calls. Each takes command lines and returns a JSON document. A wrong
 * command line gives a document with {@code error} and {@code hint}.
 */
public final class Laboratory {

    private Laboratory() {}

    /** TeaVM compiles what it can reach from here, and from the exported functions. */
    public static void main(String[] args) {}

    @JSExport
    public static String catalogue() {
        return answer(CatalogueDocument::create);
    }

    @JSExport
    public static String run(String commandLine) {
        return answer(() -> RunDocument.of(experiment(commandLine)));
    }

    /** The number of steps of a run without a trace: what the simulator alone costs. */
    @JSExport
    public static String steps(String commandLine) {
        return answer(() -> {
            var json = new JsonObject();
            json.addProperty("steps", experiment(commandLine).run().steps());
            return json;
        });
    }

    /**
     * @param cursor the index of an event of the trace
     * @param intervention what happens after that event: {@code {"kind": "crash", "node": "n2"}}
     */
    @JSExport
    public static String fork(String commandLine, String cursor, String intervention) {
        return answer(() -> {
            var original = RunCommandLine.parse(commandLine);
            var names = ExperimentParser.parse(original).names();
            return command(Fork.of(original, Integer.parseInt(cursor), InterventionJson.parse(intervention, names)));
        });
    }

    /** The moves that are possible after those of a command line with {@code --moves}. */
    @JSExport
    public static String choices(String commandLine) {
        return answer(() -> ChoicesDocument.of(RunCommandLine.parse(commandLine)));
    }

    /** The start of a run whose moves the user chooses, and the options that it has no place for. */
    @JSExport
    public static String toMoves(String commandLine) {
        return answer(() -> {
            var start = FreeRun.start(RunCommandLine.parse(commandLine));
            var json = command(start.arguments());
            var dropped = new JsonArray();
            start.dropped().forEach(option -> dropped.add(option.option()));
            json.add("dropped", dropped);
            return json;
        });
    }

    /** @param kind svg, log-svg, traffic-svg, mermaid, text, trace-json, scenario or shiviz */
    @JSExport
    public static String draw(String commandLine, String kind) {
        return answer(() -> {
            var json = new JsonObject();
            json.addProperty("text", Drawing.of(experiment(commandLine), kind));
            return json;
        });
    }

    /** What the page does with the progress of a check. */
    @JSFunctor
    public interface ProgressCallback extends JSObject {
        void onProgress(String document);
    }

    /**
     * Explores every run of a small world. It returns when it ends: the page ends the worker to stop it.
     *
     * @param maxBytes what its tables may take: a browser ends a page that needs more memory than it has
     */
    @JSExport
    public static String check(String commandLine, String maxBytes, ProgressCallback callback) {
        return answer(() -> CheckDocument.of(
                commandLine, Long.parseLong(maxBytes), progress -> callback.onProgress(progress.toString())));
    }

    /** What {@code habemus compare} measures. */
    @JSExport
    public static String compare(String request) {
        return answer(() -> AnalysisDocuments.compare(request));
    }

    /** What {@code habemus quorum} computes. */
    @JSExport
    public static String quorum(String request) {
        return answer(() -> AnalysisDocuments.quorum(request));
    }

    /** What {@code habemus timeout} computes. */
    @JSExport
    public static String timeout(String request) {
        return answer(() -> AnalysisDocuments.timeout(request));
    }

    /** The document of a trace file, as {@link #run} gives that of a run. */
    @JSExport
    public static String importTrace(String text) {
        return answer(() -> TraceImport.parse(text));
    }

    private static JsonObject command(RunArguments arguments) {
        var json = new JsonObject();
        json.addProperty("command", RunDocument.command(arguments));
        return json;
    }

    /** The hash over the text of the trace: equal on every platform. */
    @JSExport
    public static String hash(String commandLine) {
        return answer(() -> {
            var experiment = experiment(commandLine);
            var hash = new long[] {0xcbf29ce484222325L};
            var result = experiment.run(event -> TraceText.of(event, experiment.names(), experiment.timeScale())
                    .forEach(line -> hash[0] = hash(hash[0], line)));
            var json = new JsonObject();
            json.addProperty("steps", result.steps());
            json.addProperty("hash", Long.toHexString(hash[0]));
            return json;
        });
    }

    private static long hash(long hash, String line) {
        for (int i = 0; i < line.length(); i++) {
            hash = (hash ^ line.charAt(i)) * 0x100000001b3L;
        }
        return hash;
    }

    private static Experiment experiment(String commandLine) {
        return ExperimentParser.parse(RunCommandLine.parse(commandLine));
    }

    private static String answer(Supplier<? extends JsonElement> document) {
        try {
            return document.get().toString();
        } catch (CommandException wrong) {
            return error(wrong.message(), wrong.hint());
        } catch (RuntimeException | StackOverflowError failure) {
            return error(String.valueOf(failure), "this is a bug of the laboratory: please report the command");
        }
    }

    private static String error(String message, String hint) {
        var json = new JsonObject();
        json.addProperty("error", message);
        json.addProperty("hint", hint);
        return json.toString();
    }
}
