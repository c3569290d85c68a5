package habemus.service.http;

import static java.util.concurrent.TimeUnit.SECONDS;
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
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The HTTP API of a single algorithm node. Every test uses locks and elections of its own. */
@Timeout(60)
@Tag("slow")
class AlgorithmNodeApiTest {

    private static AlgorithmNode node;
    private static HttpServer server;
    private static HttpClient client;

    @BeforeAll
    static void open() {
        node = TestClusters.start(1, "central", "bully", UnaryOperator.identity())
                .getFirst();
        server = new HttpServer(node, HttpConfig.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        client = HttpClient.newHttpClient();
    }

    @AfterAll
    static void close() {
        client.shutdownNow();
        server.close();
        node.close();
    }

    private record Response(int status, JsonObject json) {
        String text(String member) {
            return json.get(member).getAsString();
        }

        String code() {
            return json.getAsJsonObject("error").get("code").getAsString();
        }
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.address().getPort() + path);
    }

    private static Response response(HttpResponse<String> response) {
        assertThat(response.headers().firstValue("Content-Type")).contains("application/json");
        return new Response(
                response.statusCode(), JsonParser.parseString(response.body()).getAsJsonObject());
    }

    private static Response get(String path) throws IOException, InterruptedException {
        return response(client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString()));
    }

    private static HttpRequest posting(String path, String body) {
        return HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
    }

    private static Response post(String path, String body) throws IOException, InterruptedException {
        return response(client.send(posting(path, body), BodyHandlers.ofString()));
    }

    @Test
    void each_grant_of_a_lock_has_a_larger_fence() throws Exception {
        var first = post("/locks/orders/acquire", "{\"client\": \"first\"}");
        assertThat(first.status).isEqualTo(200);
        assertThat(first.text("state")).isEqualTo("held");
        var second =
                client.sendAsync(posting("/locks/orders/acquire", "{\"client\": \"second\"}"), BodyHandlers.ofString());
        var lock = get("/locks/orders").json;
        while (lock.getAsJsonArray("waiters").isEmpty()) {
            lock = get("/locks/orders").json;
        }
        assertThat(lock.get("holder").getAsString()).isEqualTo("first");
        assertThat(lock.get("fence").getAsLong()).isEqualTo(1);
        assertThat(post("/tickets/" + first.text("ticket") + "/release", "").text("state"))
                .isEqualTo("released");
        var granted = response(second.get(10, SECONDS));
        assertThat(granted.json.get("fence").getAsLong()).isEqualTo(2);
    }

    @Test
    void a_request_that_times_out_is_busy_and_leaves_the_queue() throws Exception {
        post("/locks/busy/acquire", "{}");
        var second = post("/locks/busy/acquire", "{\"wait\": 50}");
        assertThat(second.status).isEqualTo(409);
        assertThat(second.code()).isEqualTo("busy");
        assertThat(get("/locks/busy").json.getAsJsonArray("waiters")).isEmpty();
    }

    @Test
    void a_client_with_its_own_ticket_can_leave_the_queue() throws Exception {
        var mine = "0123456789abcdef0123456789abcdef";
        var request = "{\"ticket\": \"" + mine + "\", \"wait\": 60000}";
        post("/locks/queue/acquire", "{}");
        var waiting = client.sendAsync(posting("/locks/queue/acquire", request), BodyHandlers.ofString());
        while (get("/tickets/" + mine).status == 404) {
            Thread.onSpinWait();
        }
        assertThat(get("/tickets/" + mine).text("state")).isEqualTo("waiting");
        assertThat(post("/locks/other/acquire", request).code()).isEqualTo("ticket-in-use");
        assertThat(post("/tickets/" + mine + "/release", "").text("state")).isEqualTo("released");
        assertThat(response(waiting.get(10, SECONDS)).code()).isEqualTo("released");
        assertThat(get("/locks/queue").json.getAsJsonArray("waiters")).isEmpty();
        assertThat(get("/locks/other").status).isEqualTo(404);
    }

    @Test
    void a_ticket_is_one_request_however_often_it_is_asked_for() throws Exception {
        var body = "{\"ticket\": \"fedcba9876543210fedcba9876543210\", \"wait\": 20000}";
        var granted = post("/locks/once/acquire", body).json.get("fence").getAsLong();
        assertThat(post("/locks/once/acquire", body).json.get("fence").getAsLong())
                .isEqualTo(granted);
        var release = "/tickets/fedcba9876543210fedcba9876543210/release";
        assertThat(post(release, "{\"fence\": " + (granted + 1) + "}").code()).isEqualTo("fence-mismatch");
        assertThat(post(release, "{\"fence\": " + granted + "}").text("state")).isEqualTo("released");
        assertThat(post("/locks/once/acquire", body).code()).isEqualTo("released");
        assertThat(get("/locks/once").json.get("holder").isJsonNull()).isTrue();
    }

    @Test
    void a_lease_without_renewal_expires_and_its_client_is_notified() throws Exception {
        var ticket = post("/locks/forgotten/acquire", "{\"lease\": 100}").text("ticket");
        assertThat(get("/tickets/" + ticket + "?wait=20s").text("state")).isEqualTo("expired");
        var renewed = post("/tickets/" + ticket + "/renew", "{\"lease\": 1000}");
        assertThat(renewed.status).isEqualTo(410);
        assertThat(renewed.code()).isEqualTo("expired");
        assertThat(post("/tickets/" + ticket + "/release", "").status).isEqualTo(410);
        assertThat(post("/locks/forgotten/acquire", "{}").json.get("fence").getAsLong())
                .isEqualTo(2);
    }

    @Test
    void a_renewed_lease_lasts() throws Exception {
        var ticket = post("/locks/kept/acquire", "{\"lease\": 2000}").text("ticket");
        var renewed = post("/tickets/" + ticket + "/renew", "{\"lease\": 60000}");
        assertThat(renewed.json.get("lease").getAsLong()).isBetween(50_000L, 60_000L);
        assertThat(get("/tickets/" + ticket + "?wait=2100ms").text("state")).isEqualTo("held");
    }

    @Test
    void a_candidate_acts_while_its_node_leads() throws Exception {
        var first = post("/leaders/scheduler/campaign", "{\"client\": \"first\"}");
        assertThat(first.json.get("term").getAsLong()).isPositive();
        var led = get("/leaders/scheduler").json;
        assertThat(led.get("leader").getAsString()).isEqualTo("n1");
        assertThat(led.get("leadingClient").getAsString()).isEqualTo("first");
        assertThat(post("/tickets/" + first.text("ticket") + "/release", "").code())
                .isEqualTo("kind-mismatch");
        assertThat(post("/tickets/" + first.text("ticket") + "/resign", "").status)
                .isEqualTo(200);
        assertThat(post("/leaders/scheduler/start-election", "").status).isEqualTo(200);
    }

    @Test
    void the_status_lists_every_node() throws Exception {
        var status = get("/status").json;
        assertThat(status.get("lockAlgorithm").getAsString()).isEqualTo("central");
        var nodeStatus = status.getAsJsonArray("nodes").get(0).getAsJsonObject();
        assertThat(nodeStatus.keySet())
                .containsExactly("name", "address", "state", "leader", "term", "incarnation", "pid", "http");
        assertThat(nodeStatus.get("state").getAsString()).isEqualTo("up");
        assertThat(nodeStatus.get("pid").getAsLong())
                .isEqualTo(ProcessHandle.current().pid());
        assertThat(nodeStatus.get("http").getAsString())
                .endsWith(":" + server.address().getPort());
        assertThat(get("/health").text("state")).isEqualTo("up");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /lock, '', 404, not-found",
        "GET, /locks/never, '', 404, not-found",
        "GET, /leaders/never, '', 404, not-found",
        "GET, /tickets/00, '', 404, not-found",
        "POST, /locks, '', 405, method-not-allowed",
        "GET, /locks/x/acquire, '', 405, method-not-allowed",
        "POST, /locks/x/acquire, nonsense, 400, invalid-request",
        "POST, /locks/x/acquire, '[1]', 400, invalid-request",
        "POST, /locks/x/acquire, '{\"leese\": 5}', 400, invalid-request",
        "POST, /locks/x/acquire, '{\"lease\": 5}', 400, invalid-request",
        "POST, /locks/x/acquire, '{\"lease\": \"long\"}', 400, invalid-request",
        "POST, /locks/x/acquire, '{\"client\": \"\"}', 400, invalid-request",
        "POST, /locks/x/acquire, '{\"client\": {}}', 400, invalid-request",
        "POST, /locks/x/acquire, '{\"ticket\": \"mine\"}', 400, invalid-request",
        "POST, /locks/%20/acquire, '{}', 400, invalid-request",
        "GET, /watch?scope=world, '', 400, invalid-request",
    })
    void an_error_response_has_a_code(String method, String path, String body, int status, String code)
            throws Exception {
        var response = method.equals("GET") ? get(path) : post(path, body);
        assertThat(response.status).isEqualTo(status);
        assertThat(response.code()).isEqualTo(code);
        var error = response.json.getAsJsonObject("error");
        assertThat(error.get("message").getAsString()).isNotBlank();
        assertThat(error.get("hint").getAsString()).isNotBlank();
    }

    @Test
    void a_body_or_name_beyond_the_limit_is_rejected() throws Exception {
        var large = post("/locks/x/acquire", "{\"client\": \"" + "x".repeat(5_000) + "\"}");
        assertThat(large.status).isEqualTo(413);
        assertThat(post("/locks/x/acquire", " ".repeat(100_000)).status).isEqualTo(413);
        assertThat(post("/locks/" + "x".repeat(101) + "/acquire", "{}").status).isEqualTo(400);
    }

    @Test
    void cross_origin_requests_are_rejected() throws Exception {
        var request = HttpRequest.newBuilder(uri("/status")).header("Origin", "http://example.org");
        assertThat(response(client.send(request.build(), BodyHandlers.ofString())).status)
                .isEqualTo(403);
        var plain = HttpRequest.newBuilder(uri("/locks/x/acquire")).POST(BodyPublishers.ofString("{}"));
        assertThat(response(client.send(plain.build(), BodyHandlers.ofString())).status)
                .isEqualTo(415);
    }

    @ParameterizedTest
    @CsvSource({"cluster", "node"})
    void a_watch_sends_the_current_state_and_every_change(String scope) throws Exception {
        var stream = client.send(
                        HttpRequest.newBuilder(uri("/watch?scope=" + scope)).build(), BodyHandlers.ofInputStream())
                .body();
        try (var lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            assertThat(until(lines, "\"name\":\"n1\",\"state\":\"up\"")).isNotNull();
            assertThat(until(lines, "event:keep-alive")).isNotNull();
            var lock = "seen-" + scope;
            var ticket = CompletableFuture.supplyAsync(() -> acquire(lock)).get(10, SECONDS);
            assertThat(until(lines, "\"name\":\"" + lock + "\",\"node\":\"n1\",\"holder\":\"http\",\"fence\":1"))
                    .isNotNull();
            post("/tickets/" + ticket + "/release", "");
            assertThat(until(lines, "\"name\":\"" + lock + "\",\"node\":\"n1\",\"holder\":null"))
                    .isNotNull();
            post("/leaders/" + lock + "/start-election", "");
            assertThat(until(lines, "\"name\":\"" + lock + "\",\"node\":\"n1\",\"leader\":\"n1\""))
                    .isNotNull();
        }
    }

    private static String acquire(String lock) {
        try {
            return post("/locks/" + lock + "/acquire", "{}").text("ticket");
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static String until(BufferedReader lines, String part) throws IOException {
        var line = lines.readLine();
        while (line != null && !line.contains(part)) {
            line = lines.readLine();
        }
        return line;
    }
}
