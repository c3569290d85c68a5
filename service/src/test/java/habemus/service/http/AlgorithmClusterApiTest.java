package habemus.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.service.algorithm.AlgorithmNode;
import habemus.service.algorithm.TestClusters;
import habemus.service.server.HttpConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The HTTP API of two algorithm nodes: each node answers for both. */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class AlgorithmClusterApiTest {

    private final HttpClient client = HttpClient.newHttpClient();
    private List<AlgorithmNode> nodes = List.of();
    private List<HttpServer> servers = List.of();

    @BeforeEach
    void open() {
        nodes = TestClusters.start(2, "central", "bully", UnaryOperator.identity());
        servers = nodes.stream()
                .map(node ->
                        new HttpServer(node, HttpConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))))
                .toList();
    }

    @AfterEach
    void close() {
        client.shutdownNow();
        servers.forEach(HttpServer::close);
        nodes.forEach(AlgorithmNode::close);
    }

    private HttpRequest.Builder at(int node, String path) {
        int port = servers.get(node - 1).address().getPort();
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private JsonObject send(HttpRequest.Builder request) throws IOException, InterruptedException {
        var response = client.send(request.build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        return JsonParser.parseString(response.body()).getAsJsonObject();
    }

    @Test
    void a_member_leaves_and_the_coordinator_does_not() throws Exception {
        assertThat(send(at(2, "/members")).getAsJsonArray("members")).hasSize(2);
        var refused = client.send(at(2, "/members/n1").DELETE().build(), BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body()).contains("rejected", "n1 runs the membership service, and cannot leave");
        assertThat(send(at(1, "/members/n2").DELETE()).getAsJsonArray("members"))
                .hasSize(1);
    }

    @Test
    void changes_at_one_node_are_visible_at_the_other() throws Exception {
        var stream = client.send(at(2, "/watch").build(), BodyHandlers.ofInputStream())
                .body();
        try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            var ticket = send(at(1, "/locks/orders/acquire").POST(BodyPublishers.noBody()));
            await(lines, "\"name\":\"orders\",\"node\":\"n1\",\"holder\":\"http\",\"fence\":1");
            var lock = send(at(2, "/locks/orders"));
            assertThat(lock.get("node").getAsString()).isEqualTo("n1");
            send(at(1, "/tickets/" + ticket.get("ticket").getAsString() + "/release")
                    .POST(BodyPublishers.noBody()));
            await(lines, "\"name\":\"orders\",\"node\":\"n1\",\"holder\":null");
            send(at(1, "/leaders/leader/start-election").POST(BodyPublishers.noBody()));
            await(lines, "\"name\":\"leader\",\"node\":\"n1\",\"leader\":\"n2\"");
            assertThat(send(at(2, "/leaders/leader")).getAsJsonArray("announcedBy"))
                    .hasSize(2);
            nodes.getFirst().close();
            await(lines, "\"name\":\"n1\",\"state\":\"down\"");
        }
        var states = send(at(2, "/status")).getAsJsonArray("nodes").asList().stream()
                .map(node -> node.getAsJsonObject().get("state").getAsString());
        assertThat(states).containsExactly("down", "up");
    }

    private static void await(BufferedReader lines, String part) throws IOException {
        var line = lines.readLine();
        while (line != null && !line.contains(part)) {
            line = lines.readLine();
        }
        assertThat(line).as("a line with " + part).isNotNull();
    }
}
