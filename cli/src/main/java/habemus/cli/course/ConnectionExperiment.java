package habemus.cli.course;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.course.servers.load.ConnectionCost;
import habemus.harness.bench.Benchmark;
import habemus.lab.table.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Threads and memory of each form for connections whose clients are silent. */
final class ConnectionExperiment implements ServersExperiment {

    private static final int DEFAULT_CLIENTS = 1_000;

    @Override
    public String name() {
        return "connections";
    }

    @Override
    public List<String> unusedOptions() {
        return List.of("--rates", "--rate", "--sizes", "--seconds", "--timeout", "--svg");
    }

    @Override
    public ServersReport run(ServersOptions options, Consumer<String> progress) {
        int clients = options.clients().orElse(DEFAULT_CLIENTS);
        var costs = new ArrayList<ConnectionCost>();
        for (var form : options.forms()) {
            progress.accept(form + ": " + clients + " connections");
            costs.add(ConnectionCost.measure(options.settings().withForm(form), clients));
        }
        var rows = new JsonArray();
        costs.stream().map(ConnectionExperiment::json).forEach(rows::add);
        var json = new JsonObject();
        json.add("connections", rows);
        return new ServersReport(
                List.of(
                        ServersReport.table(table(costs)),
                        ServersReport.paragraph(
                                String.format(
                                        Locale.ROOT,
                                        "%,d clients connect, send half of a request, and wait; then one more sends a"
                                                + " whole request and waits for %d s.",
                                        clients,
                                        ConnectionCost.PATIENCE_MILLIS / 1000),
                                "Heap: live objects after a garbage collection.",
                                "Outside: resident memory of the process except its heap, which has a fixed size.",
                                "Memory of the system, such as socket buffers, is not counted; values near zero are"
                                        + " noise."),
                        ServersReport.paragraph(
                                ServersText.settings(options.settings()),
                                Benchmark.machine().strip())),
                json,
                Map.of());
    }

    private static TextTable table(List<ConnectionCost> costs) {
        var table = new TextTable(
                "form",
                "open connections",
                "refused",
                "more threads",
                "heap bytes each",
                "outside bytes each",
                "serves one more client");
        for (var cost : costs) {
            table.row(
                    cost.settings().form(),
                    ServersText.whole(cost.open()),
                    ServersText.whole(cost.refused()),
                    ServersText.whole(cost.threads()),
                    perConnection(cost, cost.heapBytesPerConnection()),
                    perConnection(cost, cost.nativeBytesPerConnection()),
                    cost.answered() ? "yes" : "no");
        }
        return table;
    }

    /** A few connections cost less than the noise of the measurement. */
    private static String perConnection(ConnectionCost cost, double bytes) {
        return cost.open() * 2 < cost.clients() ? "–" : ServersText.whole(bytes);
    }

    private static JsonObject json(ConnectionCost cost) {
        var json = new JsonObject();
        json.addProperty("form", cost.settings().form().toString());
        json.addProperty("clients", cost.clients());
        json.addProperty("open", cost.open());
        json.addProperty("refused", cost.refused());
        json.addProperty("threads", cost.threads());
        json.addProperty("heapBytes", cost.memory().heapBytes());
        json.addProperty("residentBytes", cost.memory().residentBytes());
        json.addProperty("servesAnother", cost.answered());
        return json;
    }
}
