package habemus.cli.course;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.course.servers.session.CursorPlace;
import habemus.course.servers.session.SessionCost;
import habemus.course.servers.session.SessionMeasurement;
import habemus.harness.bench.Benchmark;
import habemus.lab.table.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** Stateful against stateless: a paged query whose cursor is in the request, in memory, or on disk. */
final class SessionExperiment implements ServersExperiment {

    private static final int DEFAULT_CLIENTS = 10_000;

    @Override
    public String name() {
        return "sessions";
    }

    @Override
    public List<String> unusedOptions() {
        return List.of(
                "--rates",
                "--rate",
                "--sizes",
                "--seconds",
                "--timeout",
                "--forms",
                "--cpu",
                "--blocking",
                "--threads",
                "--queue",
                "--connections",
                "--svg");
    }

    @Override
    public ServersReport run(ServersOptions options, Consumer<String> progress) {
        var measurement = new SessionMeasurement(options.clients().orElse(DEFAULT_CLIENTS), progress);
        var costs = new ArrayList<SessionCost>();
        for (var place : CursorPlace.values()) {
            costs.add(measurement.measure(place));
        }
        var rows = new JsonArray();
        costs.stream().map(SessionExperiment::json).forEach(rows::add);
        var json = new JsonObject();
        json.add("sessions", rows);
        int active = costs.getFirst().crash().clients();
        return new ServersReport(
                List.of(
                        ServersReport.table(running(costs)),
                        ServersReport.table(recovery("crash", costs, SessionCost::crash)),
                        ServersReport.table(recovery("move", costs, SessionCost::move)),
                        ServersReport.paragraph(
                                "Time: one client, one page after the other.",
                                String.format(
                                        Locale.ROOT,
                                        "Memory: %,d clients in the middle of their queries.",
                                        costs.getFirst().clients()),
                                "Values near zero are noise.",
                                String.format(
                                        Locale.ROOT,
                                        "Crash and move: %d clients have read half of their pages; then the process is"
                                                + " killed and started again, or the clients go on at another server.",
                                        active),
                                "Down: until a server listens again.",
                                "Finished: from then until the last page of the last client."),
                        ServersReport.paragraph(Benchmark.machine().strip())),
                json,
                Map.of());
    }

    private static TextTable running(List<SessionCost> costs) {
        var table = new TextTable("cursor", "page p50 µs", "page p99 µs", "heap bytes a client", "disk bytes a client");
        for (var cost : costs) {
            table.row(
                    cost.place(),
                    ServersText.whole(cost.pageMicros().getValueAtPercentile(50)),
                    ServersText.whole(cost.pageMicros().getValueAtPercentile(99)),
                    ServersText.whole((double) cost.heapBytes() / cost.clients()),
                    ServersText.whole((double) cost.diskBytes() / cost.clients()));
        }
        return table;
    }

    private static TextTable recovery(
            String event, List<SessionCost> costs, Function<SessionCost, SessionCost.Recovery> which) {
        var table = new TextTable(
                event + ": cursor",
                "failed requests",
                "lost sessions",
                "pages read again",
                "down ms",
                "finished after ms");
        for (var cost : costs) {
            var recovery = which.apply(cost);
            table.row(
                    cost.place(),
                    ServersText.whole(recovery.connectionErrors()),
                    ServersText.whole(recovery.lostSessions()),
                    ServersText.whole(recovery.repeatedPages()),
                    ServersText.whole(recovery.downMillis()),
                    ServersText.whole(recovery.finishMillis()));
        }
        return table;
    }

    private static JsonObject json(SessionCost cost) {
        var json = new JsonObject();
        json.addProperty("cursor", cost.place().toString());
        json.addProperty("pageP50Micros", cost.pageMicros().getValueAtPercentile(50));
        json.addProperty("pageP99Micros", cost.pageMicros().getValueAtPercentile(99));
        json.addProperty("clients", cost.clients());
        json.addProperty("heapBytes", cost.heapBytes());
        json.addProperty("diskBytes", cost.diskBytes());
        json.add("crash", json(cost.crash()));
        json.add("move", json(cost.move()));
        return json;
    }

    private static JsonObject json(SessionCost.Recovery recovery) {
        var json = new JsonObject();
        json.addProperty("clients", recovery.clients());
        json.addProperty("failedRequests", recovery.connectionErrors());
        json.addProperty("lostSessions", recovery.lostSessions());
        json.addProperty("repeatedPages", recovery.repeatedPages());
        json.addProperty("downMillis", recovery.downMillis());
        json.addProperty("finishMillis", recovery.finishMillis());
        return json;
    }
}
