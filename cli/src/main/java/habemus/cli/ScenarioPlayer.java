package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.trace.TraceText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Plays a scenario: makes its runs, and compares what they say with what is recorded. */
final class ScenarioPlayer {

    private static final List<String> ELSEWHERE =
            List.of("--json", "--svg", "--mermaid", "--trace", "--diagram", "--no-diagram", "--color", "--rewrite");

    /** One command, made again. */
    record Played(Scenario.Exchange exchange, Performance performance, List<String> answer) {
        boolean asRecorded() {
            return answer.equals(exchange.answer());
        }
    }

    private ScenarioPlayer() {}

    static List<Played> play(Scenario scenario, Output output, PrintStream out) {
        var played = new ArrayList<Played>();
        boolean several = scenario.exchanges().size() > 1;
        for (var exchange : scenario.exchanges()) {
            var own = several ? output.numbered(played.size() + 1) : output;
            var experiment = experiment(scenario, exchange);
            played.add(played(exchange, Performance.recorded(experiment, own, out)));
        }
        return played;
    }

    private static Experiment experiment(Scenario scenario, Scenario.Exchange exchange) {
        try {
            var words = ShellWords.split(exchange.command());
            for (String word : words) {
                var name = word.replaceFirst("=.*", "");
                if (ELSEWHERE.contains(name)) {
                    throw Refusal.wrong(
                            name + " has no place in a scenario", "give it to habemus run when you play it");
                }
            }
            return ExperimentReader.read(RunCommand.read(words.subList(1, words.size())));
        } catch (IllegalArgumentException unreadable) {
            throw Refusal.wrong(String.valueOf(unreadable.getMessage()), "quote as in a shell")
                    .at(scenario.origin() + ":" + exchange.line());
        } catch (Refusal wrong) {
            throw wrong.at(scenario.origin() + ":" + exchange.line());
        }
    }

    private static Played played(Scenario.Exchange exchange, Performance performance) {
        if (!performance.recorder().isComplete()) {
            throw Refusal.cannot("too much happens in " + exchange.command(), "end it sooner with --until or --steps");
        }
        var answer = new ArrayList<String>();
        performance.recorder().lines().forEach(line -> answer.addAll(TraceText.of(line)));
        answer.addAll(
                Summary.of(performance.experiment().algorithm().problem(), performance.outcome(), new Paint(false)));
        answer.replaceAll(String::stripTrailing);
        answer.removeIf(String::isEmpty);
        return new Played(exchange, performance, List.copyOf(answer));
    }

    /** The same scenario, with what is said now. */
    static Scenario rewritten(Scenario scenario, List<Played> played) {
        return scenario.answered(played.stream().map(Played::answer).toList());
    }

    static JsonObject json(Scenario scenario, List<Played> played, Output output) {
        var runs = new JsonArray();
        played.forEach(one -> runs.add(RunJson.of(one.performance(), output)));
        var json = played.size() == 1 ? runs.get(0).getAsJsonObject() : new JsonObject();
        json.addProperty("scenario", scenario.origin());
        json.addProperty("asRecorded", played.stream().allMatch(Played::asRecorded));
        if (played.size() > 1) {
            json.add("runs", runs);
        }
        return json;
    }

    static void print(Scenario scenario, List<Played> played, Output output, Terminal terminal) {
        var out = output.traceToOut() ? terminal.err() : terminal.out();
        var paint = Paint.of(output.color(), terminal);
        out.println(paint.bold(scenario.title()));
        scenario.story().forEach(out::println);
        for (var one : played) {
            out.println();
            one.exchange().notes().forEach(note -> out.println(Scenario.uncommented(note)));
            RunReport.print(one.performance(), output, paint, out);
            out.println(one.asRecorded() ? "as recorded" : paint.red(difference(scenario, one)));
        }
    }

    private static String difference(Scenario scenario, Played played) {
        var recorded = played.exchange().answer();
        if (recorded.isEmpty()) {
            return "not recorded yet: --rewrite records it";
        }
        int at = 0;
        while (at < Math.min(recorded.size(), played.answer().size())
                && recorded.get(at).equals(played.answer().get(at))) {
            at++;
        }
        return "not as recorded, first in " + scenario.origin() + ":"
                + (played.exchange().line() + 2 + at)
                + "\n  recorded  " + line(recorded, at)
                + "\n  now       " + line(played.answer(), at);
    }

    private static String line(List<String> lines, int at) {
        return at < lines.size() ? lines.get(at).trim() : "(nothing more)";
    }
}
