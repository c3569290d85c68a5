package habemus.web;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.lab.check.CheckArguments;
import habemus.lab.check.CheckCommandLine;
import habemus.lab.check.CheckJson;
import habemus.lab.check.CheckOption;
import habemus.lab.check.CheckPlan;
import habemus.lab.check.CheckResult;
import habemus.lab.command.CommandLineParser;
import habemus.lab.command.ShellSyntax;
import habemus.world.Property;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A check as one JSON document: that of {@code habemus check --json}, with a list of the properties for the page. */
final class CheckDocument {

    /** More would take minutes. */
    private static final long MAX_STATES = 2_000_000;

    private CheckDocument() {}

    /** @param onProgress gets a small document several times a second */
    static JsonObject of(String commandLine, long maxBytes, Consumer<JsonObject> onProgress) {
        long started = System.nanoTime();
        var arguments = CheckCommandLine.parse(commandLine);
        var plan = CheckPlan.of(arguments)
                .withOptions(options -> limited(options, arguments, maxBytes).withProgressListener(progress -> {
                    onProgress.accept(progress(progress, started));
                    return true;
                }));
        var result = plan.check();
        var json = CheckJson.of(result);
        var properties = new JsonArray();
        result.checkReport().findings().forEach(finding -> properties.add(property(finding, result)));
        json.add("properties", result.experiment().names().in(properties));
        json.addProperty("command", "./habemus check " + quoted(commandLine));
        return json;
    }

    private static CheckOptions limited(CheckOptions options, CheckArguments arguments, long maxBytes) {
        var limited = options.withMaxBytes(maxBytes);
        return arguments.has(CheckOption.STATES) ? limited : limited.withMaxStates(MAX_STATES);
    }

    private static String quoted(String commandLine) {
        return CommandLineParser.split(commandLine, "check").stream()
                .map(ShellSyntax::quote)
                .collect(Collectors.joining(" "));
    }

    private static JsonObject progress(CheckOptions.Progress progress, long started) {
        double seconds = Math.max(1e-3, (System.nanoTime() - started) / 1e9);
        var json = new JsonObject();
        json.addProperty("states", progress.states());
        json.addProperty("transitions", progress.transitions());
        json.addProperty("queue", progress.frontier());
        json.addProperty("depth", progress.depth());
        json.addProperty("perSecond", Math.round(progress.states() / seconds));
        return json;
    }

    private static JsonObject property(CheckReport.Finding finding, CheckResult result) {
        var json = new JsonObject();
        json.addProperty("name", finding.name());
        json.addProperty(
                "sentence",
                Property.find(finding.name()).map(Property::sentence).orElse(""));
        json.addProperty("required", result.counts(finding));
        json.addProperty("verdict", finding.verdict().toString());
        json.addProperty("answer", finding.verdict().answer());
        var replay = result.replay(finding);
        if (!replay.isEmpty()) {
            var counterexample = new JsonObject();
            counterexample.addProperty("command", replay.substring("./habemus run ".length()));
            counterexample.addProperty("steps", finding.schedule().size());
            json.add("counterexample", counterexample);
        }
        return json;
    }
}
