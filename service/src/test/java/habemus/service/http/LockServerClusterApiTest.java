package habemus.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.service.algorithm.TestClusters;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.transport.Member;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The HTTP API of three lock servers in one process. */
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class LockServerClusterApiTest {

    private static final String TICKET = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<Member> members = TestClusters.members(3);
    private final List<LockServerNode> nodes = new ArrayList<>();
    private final List<HttpServer> servers = new ArrayList<>();

    @BeforeEach
    void open() {
        members.stream()
                .map(member -> CompletableFuture.supplyAsync(
                        () -> start(member), task -> Thread.ofVirtual().start(task)))
                .toList()
                .forEach(node -> nodes.add(node.join()));
        nodes.forEach(node -> servers.add(new HttpServer(node)));
    }

    private LockServerNode start(Member member) {
        var data = Optional.of(folder.resolve(member.node().toString()));
        return LockServerNode.start(LockServerConfig.of(members, member.node(), data));
    }

    @AfterEach
    void close() {
        client.shutdownNow();
        servers.forEach(HttpServer::close);
        nodes.forEach(LockServerNode::close);
    }

    private HttpRequest at(int node, String path, String body) {
        var uri = "http://127.0.0.1:" + servers.get(node - 1).address().getPort() + path;
        var builder = HttpRequest.newBuilder(URI.create(uri));
        return body.isEmpty()
                ? builder.build()
                : builder.header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build();
    }

    private JsonObject send(HttpRequest request) throws IOException, InterruptedException {
        return JsonParser.parseString(
                        client.send(request, BodyHandlers.ofString()).body())
                .getAsJsonObject();
    }

    @Test
    @Timeout(60)
    void a_ticket_is_valid_at_every_node() throws Exception {
        var taken = send(at(1, "/locks/orders/acquire", "{\"wait\": 30000, \"lease\": 30000}"));
        var ticket = "/tickets/" + taken.get("ticket").getAsString();
        assertThat(send(at(2, ticket + "/renew", "{}")).get("fence")).isEqualTo(taken.get("fence"));
        assertThat(send(at(3, ticket, "")).get("state").getAsString()).isEqualTo("held");
        while (!taken.get("fence").equals(send(at(3, "/locks/orders", "")).get("fence"))) {
            Thread.onSpinWait(); // a follower may be slightly behind
        }
        servers.getFirst().close();
        nodes.getFirst().close();
        assertThat(send(at(2, ticket + "/renew", "{}")).get("state").getAsString())
                .isEqualTo("held");
        assertThat(send(at(3, ticket + "/release", "{}")).get("state").getAsString())
                .isEqualTo("released");
        var states = send(at(2, "/status", "")).getAsJsonArray("nodes").asList().stream()
                .map(node -> node.getAsJsonObject().get("state").getAsString());
        assertThat(states).containsExactly("down", "up", "up");
    }

    @Test
    @Timeout(60)
    void a_node_without_a_majority_is_live_but_not_ready_and_says_since_when_its_answers_are_old() throws Exception {
        send(at(1, "/locks/orders/acquire", "{\"wait\": 30000, \"lease\": 30000}"));
        while (status(3, "/ready") != 200) {
            Thread.onSpinWait(); // until it follows the leader
        }
        assertThat(staleSince(3)).isEmpty();
        for (int stopped = 0; stopped < 2; stopped++) {
            servers.get(stopped).close();
            nodes.get(stopped).close();
        }
        var stoppedAt = Instant.now();
        while (status(3, "/ready") != 503 || staleSince(3).isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(status(3, "/live")).isEqualTo(200);
        while (codes(send(at(3, "/ready", ""))).size() < 2) {
            Thread.onSpinWait();
        }
        assertThat(codes(send(at(3, "/health", "")))).containsExactly("no-leader", "behind");
        assertThat(Instant.parse(staleSince(3).orElseThrow()))
                .isBetween(stoppedAt.minusSeconds(10), stoppedAt.plusSeconds(10));
        assertThat(send(at(3, "/status", "")).get("staleSince").isJsonNull()).isFalse();
    }

    private int status(int node, String path) throws IOException, InterruptedException {
        return client.send(at(node, path, ""), BodyHandlers.discarding()).statusCode();
    }

    private Optional<String> staleSince(int node) throws IOException, InterruptedException {
        return client.send(at(node, "/locks", ""), BodyHandlers.discarding())
                .headers()
                .firstValue("Habemus-Stale-Since");
    }

    private static List<String> codes(JsonObject answer) {
        return answer.getAsJsonArray("reasons").asList().stream()
                .map(reason -> reason.getAsJsonObject().get("code").getAsString())
                .toList();
    }

    /** 0 as long as the node does not know the lock. */
    private int waiters(int node) throws Exception {
        var waiters = send(at(node, "/locks/orders", "")).getAsJsonArray("waiters");
        return waiters == null ? 0 : waiters.size();
    }

    @Test
    void one_ticket_asked_at_three_nodes_at_once_is_one_request() throws Exception {
        var held = send(at(1, "/locks/orders/acquire", "{\"wait\": 30000, \"lease\": 30000}"));
        var body = "{\"wait\": 60000, \"lease\": 30000, \"ticket\": \"" + TICKET + "\"}";
        var asked = IntStream.rangeClosed(1, 3)
                .mapToObj(node -> client.sendAsync(at(node, "/locks/orders/acquire", body), BodyHandlers.ofString()))
                .toList();
        while (waiters(1) == 0) {
            Thread.onSpinWait();
        }
        assertThat(waiters(1)).isEqualTo(1);
        send(at(2, "/tickets/" + held.get("ticket").getAsString() + "/release", "{}"));
        var fences = new TreeSet<Long>();
        for (var reply : asked) {
            var granted = JsonParser.parseString(reply.get(60, TimeUnit.SECONDS).body());
            fences.add(granted.getAsJsonObject().get("fence").getAsLong());
        }
        assertThat(fences).hasSize(1);
        assertThat(waiters(1)).isZero();
    }

    /** As etcd#22082: a request that is repeated after its release. */
    @Test
    void a_released_ticket_is_not_taken_again_at_another_node() throws Exception {
        var body = "{\"wait\": 30000, \"lease\": 30000, \"ticket\": \"" + TICKET + "\"}";
        send(at(1, "/locks/orders/acquire", body));
        send(at(2, "/tickets/" + TICKET + "/release", "{}"));
        var late = client.send(at(3, "/locks/orders/acquire", body), BodyHandlers.ofString());
        assertThat(late.statusCode()).isEqualTo(410);
        assertThat(send(at(3, "/tickets/" + TICKET, "")).get("state").getAsString())
                .isEqualTo("released");
        assertThat(send(at(3, "/locks/orders", "")).get("holder").isJsonNull()).isTrue();
    }

    /** As if a node was paused, and then continues with its attempt. */
    @Test
    void an_attempt_that_times_out_does_not_close_a_ticket_that_was_taken_over() throws Exception {
        var held = send(at(1, "/locks/orders/acquire", "{\"wait\": 30000, \"lease\": 30000}"));
        var shorter = "{\"client\": \"b\", \"wait\": 3000, \"lease\": 30000, \"ticket\": \"" + TICKET + "\"}";
        var longer = "{\"client\": \"b\", \"wait\": 30000, \"lease\": 30000, \"ticket\": \"" + TICKET + "\"}";
        var first = client.sendAsync(at(2, "/locks/orders/acquire", shorter), BodyHandlers.ofString());
        while (waiters(2) == 0) {
            Thread.onSpinWait();
        }
        var second = client.sendAsync(at(3, "/locks/orders/acquire", longer), BodyHandlers.ofString());
        assertThat(first.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(409);
        assertThat(waiters(3)).isEqualTo(1);
        send(at(1, "/tickets/" + held.get("ticket").getAsString() + "/release", "{}"));
        var granted =
                JsonParser.parseString(second.get(30, TimeUnit.SECONDS).body()).getAsJsonObject();
        assertThat(granted.get("state").getAsString()).isEqualTo("held");
        assertThat(granted.get("ticket").getAsString()).isEqualTo(TICKET);
    }
}
