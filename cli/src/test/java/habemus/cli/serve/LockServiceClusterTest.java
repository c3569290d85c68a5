package habemus.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.cli.CliProcesses;
import habemus.cli.CliRunner;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three processes of the production service. The node that a holder is connected to is killed. */
@Timeout(180)
@Tag("slow")
class LockServiceClusterTest {

    @TempDir
    private Path folder;

    @Test
    void a_lock_survives_the_crash_of_the_node_that_granted_it() throws Exception {
        try (var cliProcesses = new CliProcesses(folder)) {
            int port = CliProcesses.ports(3);
            var up = startCluster(cliProcesses, port);
            int leader = leader(up);
            int other = leader % 3 + 1;
            var go = folder.resolve("go");
            var script = "echo got; while ! test -e " + go + "; do sleep 0.1; done; echo $HABEMUS_FENCE";
            var holder = lock(cliProcesses, port, other, "holder", script);
            holder.awaitOutput("got\n");
            var waiter = lock(cliProcesses, port, other, "waiter", "echo $HABEMUS_FENCE");
            var elsewhere = "127.0.0.1:" + (port + 200 + leader - 1);
            CliProcesses.await(
                    () -> CliRunner.line("locks --at " + elsewhere).out().contains("waiter at "),
                    "the waiter to be in line");
            CliProcesses.kill("KILL", pid(up, "n" + other));
            CliProcesses.await(
                    () -> CliRunner.line("status --json --at " + elsewhere)
                            .out()
                            .contains("\"down\""),
                    "a node down");
            var since = CliRunner.line("sessions --json --at " + elsewhere).json();
            assertThat(since.getAsJsonArray("sessions")).hasSize(2);
            Files.createFile(go);
            assertThat(holder.code()).isZero();
            assertThat(waiter.code()).isZero();
            assertThat(fence(waiter)).isGreaterThan(fence(holder));
        }
    }

    /** The node reads the request when it wakes, after the ticket was granted and released at another node. */
    @Test
    void a_ticket_is_not_taken_again_when_a_paused_node_wakes() throws Exception {
        try (var cliProcesses = new CliProcesses(folder);
                var http = HttpClient.newHttpClient()) {
            int port = CliProcesses.ports(3);
            var up = startCluster(cliProcesses, port);
            int leader = leader(up);
            int paused = leader % 3 + 1;
            var ticket = "0123456789abcdef0123456789abcdef";
            var acquire = "{\"wait\": 60000, \"ticket\": \"" + ticket + "\"}";
            CliProcesses.kill("STOP", pid(up, "n" + paused));
            var late = http.sendAsync(post(port, paused, "/locks/orders/acquire", acquire), BodyHandlers.ofString());
            var granted = http.send(post(port, leader, "/locks/orders/acquire", acquire), BodyHandlers.ofString());
            assertThat(granted.statusCode()).isEqualTo(200);
            var released =
                    http.send(post(port, leader, "/tickets/" + ticket + "/release", "{}"), BodyHandlers.ofString());
            assertThat(released.statusCode()).isEqualTo(200);
            CliProcesses.kill("CONT", pid(up, "n" + paused));
            assertThat(late.get(60, TimeUnit.SECONDS).statusCode()).isEqualTo(410);
            assertThat(CliRunner.line("locks --at 127.0.0.1:" + (port + 199 + paused))
                            .out())
                    .doesNotContain("orders");
        }
    }

    /** Two of three nodes are paused, also the leader. */
    @Test
    void a_timeout_is_kept_without_a_majority() throws Exception {
        try (var cliProcesses = new CliProcesses(folder)) {
            int port = CliProcesses.ports(3);
            var up = startCluster(cliProcesses, port);
            int leader = leader(up);
            int left = leader % 3 + 1;
            CliProcesses.kill("STOP", pid(up, "n" + leader));
            CliProcesses.kill("STOP", pid(up, "n" + (left % 3 + 1)));
            long startedAt = System.nanoTime();
            var result = CliRunner.line("lock orders --timeout 2 --at 127.0.0.1:" + (port + 199 + left) + " -- true");
            assertThat(Duration.ofNanos(System.nanoTime() - startedAt))
                    .isBetween(Duration.ofMillis(1_900), Duration.ofMillis(4_500));
            assertThat(result.err()).contains("outcome unknown: no majority of the nodes responded in time");
        }
    }

    private static CliProcesses.Running startCluster(CliProcesses cliProcesses, int port) throws IOException {
        var up = cliProcesses.start("up --json --port " + port);
        CliProcesses.await(() -> events(up, "log-leader").size() > 0 && nodesUp(up) == 3, up::stdout);
        return up;
    }

    private static int leader(CliProcesses.Running up) {
        var leader = events(up, "log-leader").getLast().get("leader").getAsString();
        return Integer.parseInt(leader.substring(1));
    }

    private static HttpRequest post(int port, int node, String path, String body) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + (port + 199 + node) + path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private static CliProcesses.Running lock(CliProcesses cliProcesses, int port, int node, String name, String script)
            throws Exception {
        var at = "127.0.0.1:" + (port + 200 + node - 1);
        return cliProcesses.start(
                List.of("lock", "orders", "--client", name, "--at", at, "--", "sh", "-c", script), Map.of());
    }

    private static long fence(CliProcesses.Running lock) {
        return Long.parseLong(lock.awaitOutput("(?m)^(\\d+)$").group(1));
    }

    private static List<JsonObject> events(CliProcesses.Running up, String event) {
        return up.stdout()
                .lines()
                .filter(line -> line.endsWith("}"))
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .filter(line -> line.get("event").getAsString().equals(event))
                .toList();
    }

    private static long nodesUp(CliProcesses.Running up) {
        return events(up, "node").stream()
                .filter(line -> line.get("state").getAsString().equals("up"))
                .map(line -> line.get("name").getAsString())
                .distinct()
                .count();
    }

    private static long pid(CliProcesses.Running up, String node) {
        return events(up, "node").stream()
                .filter(line -> line.get("name").getAsString().equals(node))
                .toList()
                .getLast()
                .get("pid")
                .getAsLong();
    }
}
