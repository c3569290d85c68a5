package habemus.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.lockservice.storage.StorageFormat;
import habemus.service.algorithm.TestClusters;
import habemus.service.server.AccessPolicy;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.server.ServerLimits;
import habemus.service.transport.Member;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The HTTP API of a single lock server. Every response is compared with the OpenAPI document. */
@Timeout(60)
@Tag("slow")
class LockServerApiTest {

    private static final String OPERATOR = "{\"operator\": \"ops\", \"reason\": \"a test\"}";

    @TempDir
    static Path folder;

    private static LockServerNode node;
    private static HttpServer server;
    private static HttpClient client;

    @BeforeAll
    static void open() throws IOException {
        var policy = folder.resolve("policy");
        Files.write(
                policy,
                List.of(
                        "anonymous guest use,inspect,administer:*",
                        AccessPolicy.hashToken("secret") + " billing use,inspect:orders-*"));
        var here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Member member = TestClusters.members(1).getFirst();
        node = LockServerNode.start(LockServerConfig.of(List.of(member), member.node(), Optional.empty())
                .withAddresses(here, here)
                .withPolicyFile(policy)
                .withLimits(ServerLimits.DEFAULT.withLeases(Duration.ofMillis(300), Duration.ofMinutes(10))));
        server = new HttpServer(node);
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

        long number(String member) {
            return json.get(member).getAsLong();
        }

        String code() {
            return json.getAsJsonObject("error").get("code").getAsString();
        }
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.address().getPort() + path));
    }

    private static Response send(HttpRequest.Builder builder) throws IOException, InterruptedException {
        var request = builder.build();
        return response(request, client.send(request, BodyHandlers.ofString()));
    }

    private static Response response(HttpRequest request, HttpResponse<String> response) {
        var json = JsonParser.parseString(response.body()).getAsJsonObject();
        var uri = request.uri();
        OpenApiDocument.check(request.method(), uri.getRawPath(), response.statusCode(), json);
        return new Response(response.statusCode(), json);
    }

    private static Response get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    private static HttpRequest.Builder posting(String path, String body) {
        return request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
    }

    private static Response post(String path, String body) throws IOException, InterruptedException {
        return send(posting(path, body));
    }

    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    private static int waiters(String lock) {
        try {
            return get("/locks/" + lock).json.getAsJsonArray("waiters").size();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void each_grant_of_a_lock_has_a_larger_fence() throws Exception {
        var first = post("/locks/orders/acquire", "{\"client\": \"first\"}");
        assertThat(first.text("state")).isEqualTo("held");
        var request =
                posting("/locks/orders/acquire", "{\"client\": \"second\"}").build();
        var second = client.sendAsync(request, BodyHandlers.ofString());
        await(() -> waiters("orders") == 1);
        assertThat(get("/locks/orders").text("holder")).isEqualTo("first");
        assertThat(post("/tickets/" + first.text("ticket") + "/release", "").text("state"))
                .isEqualTo("released");
        var granted = response(request, second.get(20, TimeUnit.SECONDS));
        assertThat(granted.number("fence")).isGreaterThan(first.number("fence"));
        assertThat(get("/locks/orders")
                        .json
                        .getAsJsonArray("history")
                        .get(0)
                        .getAsJsonObject()
                        .get("endReason")
                        .getAsString())
                .isEqualTo("released");
        assertThat(get("/locks").status).isEqualTo(200);
    }

    @Test
    void a_listing_has_pages_and_filters() throws Exception {
        for (String name : List.of("shop-b", "shop-a", "stock", "shop-c")) {
            var client = name.equals("shop-b") ? "billing" : "web";
            post("/locks/" + name + "/acquire", "{\"client\": \"" + client + "\"}");
        }
        post("/leaders/shop-b/campaign", "{}");
        assertThat(listed("/locks?prefix=shop-&limit=2")).containsExactly("shop-a", "shop-b", "next shop-b");
        assertThat(listed("/locks?prefix=shop-&limit=2&after=shop-b")).containsExactly("shop-c");
        assertThat(listed("/locks")).contains("shop-a", "shop-b", "shop-c", "stock");
        assertThat(listed("/locks?holder=billing")).containsExactly("shop-b");
        assertThat(listed("/locks?prefix=sz")).isEmpty();
        assertThat(get("/locks?limit=0").code()).isEqualTo("invalid-request");
        assertThat(get("/locks?limit=10001").status).isEqualTo(400);
        assertThat(get("/sessions?limit=1").json.getAsJsonArray("sessions")).hasSizeLessThan(2);
        assertThat(get("/sessions?after=x").status).isEqualTo(400);
    }

    /** The names of a page of locks, and the next one. */
    private List<String> listed(String path) throws Exception {
        var page = get(path).json;
        var names = new ArrayList<String>();
        page.getAsJsonArray("locks")
                .forEach(lock -> names.add(lock.getAsJsonObject().get("name").getAsString()));
        if (!page.get("next").isJsonNull()) {
            names.add("next " + page.get("next").getAsString());
        }
        return names;
    }

    @Test
    void a_request_that_does_not_wait_is_granted_or_busy() throws Exception {
        assertThat(post("/locks/now/acquire", "{\"wait\": 1}").text("state")).isEqualTo("held");
        assertThat(post("/locks/now/acquire", "{\"wait\": 1}").code()).isEqualTo("busy");
    }

    @Test
    void a_request_that_times_out_is_busy_and_leaves_the_queue() throws Exception {
        post("/locks/busy/acquire", "{}");
        var second = post("/locks/busy/acquire", "{\"wait\": 50}");
        assertThat(second.status).isEqualTo(409);
        assertThat(second.code()).isEqualTo("busy");
        await(() -> waiters("busy") == 0);
    }

    @Test
    void a_client_that_disconnects_leaves_the_queue() throws Exception {
        post("/locks/left/acquire", "{\"lease\": 60000}");
        try (var other = HttpClient.newHttpClient()) {
            var waiting = other.sendAsync(
                    posting("/locks/left/acquire", "{\"wait\": 60000}").build(), BodyHandlers.ofString());
            await(() -> waiters("left") == 1);
            waiting.cancel(true);
            await(() -> waiters("left") == 0);
        }
    }

    @Test
    void a_client_that_retries_with_its_ticket_keeps_its_place_in_the_queue() throws Exception {
        var held = post("/locks/kept/acquire", "{\"lease\": 60000}");
        var ticket = "00112233445566778899aabbccddeeff";
        var body = "{\"client\": \"mine\", \"wait\": 60000, \"ticket\": \"" + ticket + "\"}";
        try (var other = HttpClient.newHttpClient()) {
            var first = other.sendAsync(posting("/locks/kept/acquire", body).build(), BodyHandlers.ofString());
            await(() -> waiters("kept") == 1);
            first.cancel(true);
        }
        var request = posting("/locks/kept/acquire", body).build();
        var again = client.sendAsync(request, BodyHandlers.ofString());
        assertThat(get("/tickets/" + ticket).text("state")).isEqualTo("waiting");
        post("/tickets/" + held.text("ticket") + "/release", "");
        var granted = response(request, again.get(20, TimeUnit.SECONDS));
        assertThat(granted.text("ticket")).isEqualTo(ticket);
        assertThat(post("/tickets/" + ticket + "/renew", "{}").text("state")).isEqualTo("held");
        assertThat(waiters("kept")).isZero();
    }

    @Test
    void a_lease_without_renewal_expires_and_its_client_is_notified() throws Exception {
        var ticket = post("/locks/forgotten/acquire", "{\"lease\": 300}").text("ticket");
        assertThat(get("/tickets/" + ticket + "?wait=20").text("state")).isEqualTo("expired");
        var renewed = post("/tickets/" + ticket + "/renew", "{}");
        assertThat(renewed.status).isEqualTo(410);
        assertThat(renewed.code()).isEqualTo("expired");
        assertThat(post("/tickets/" + ticket + "/release", "").status).isEqualTo(410);
    }

    @Test
    void a_renewal_cannot_change_the_lease() throws Exception {
        var ticket = post("/locks/fixed/acquire", "{\"lease\": 5000}").text("ticket");
        assertThat(post("/tickets/" + ticket + "/renew", "{\"lease\": 5000}").number("lease"))
                .isBetween(1L, 5_000L);
        assertThat(post("/tickets/" + ticket + "/renew", "{\"lease\": 6000}").code())
                .isEqualTo("invalid-request");
    }

    @Test
    void locks_are_shared_or_acquired_together_and_permits_are_counted() throws Exception {
        var reader = post("/locks/shared/acquire", "{\"mode\": \"shared\"}");
        assertThat(post("/locks/shared/acquire", "{\"mode\": \"shared\"}").status)
                .isEqualTo(200);
        assertThat(get("/locks/shared").json.getAsJsonArray("otherHolders")).hasSize(1);
        assertThat(post("/locks/acquire", "{\"locks\": [\"shared\", \"free\"], \"wait\": 50}")
                        .code())
                .isEqualTo("busy");
        assertThat(reader.text("state")).isEqualTo("held");
        var both = post("/locks/acquire", "{\"locks\": [\"a\", \"b\"]}");
        assertThat(get("/locks/b").number("fence")).isEqualTo(both.number("fence"));
        var permits = post("/semaphores/pool/acquire", "{\"permits\": 2, \"size\": 3}");
        assertThat(permits.text("semaphore")).isEqualTo("pool");
        assertThat(post("/semaphores/pool/acquire", "{\"permits\": 2, \"size\": 3, \"wait\": 50}")
                        .code())
                .isEqualTo("busy");
        assertThat(post("/semaphores/pool/acquire", "{\"size\": 4}").code()).isEqualTo("size-mismatch");
        assertThat(get("/semaphores/pool").number("permitsInUse")).isEqualTo(2);
        assertThat(get("/semaphores").json.getAsJsonArray("semaphores")).hasSize(1);
        assertThat(post("/tickets/" + permits.text("ticket") + "/release", "").text("state"))
                .isEqualTo("released");
    }

    @Test
    void candidates_lead_by_rank_and_operators_give_a_reason() throws Exception {
        var first = post("/leaders/scheduler/campaign", "{\"client\": \"first\"}");
        assertThat(first.number("term")).isPositive();
        var low = posting("/leaders/scheduler/campaign", "{\"client\": \"low\", \"wait\": 60000}")
                .build();
        var high = posting("/leaders/scheduler/campaign", "{\"client\": \"high\", \"rank\": 5}")
                .build();
        var second = client.sendAsync(low, BodyHandlers.ofString());
        var third = client.sendAsync(high, BodyHandlers.ofString());
        await(() -> candidates() == 2);
        assertThat(post("/tickets/" + first.text("ticket") + "/release", "").code())
                .isEqualTo("kind-mismatch");
        post("/tickets/" + first.text("ticket") + "/resign", "");
        assertThat(response(high, third.get(20, TimeUnit.SECONDS)).number("term"))
                .isGreaterThan(first.number("term"));
        assertThat(get("/leaders/scheduler").text("leader")).isEqualTo("high");
        var audit = post("/leaders/scheduler/transfer", "{\"to\": \"low\", \"reason\": \"a test\"}");
        assertThat(audit.text("operator")).isEqualTo("guest");
        assertThat(audit.text("effect")).startsWith("taken from high");
        assertThat(response(low, second.get(20, TimeUnit.SECONDS)).text("state"))
                .isEqualTo("held");
        assertThat(post("/leaders/scheduler/release", OPERATOR).text("operator"))
                .isEqualTo("guest (ops)");
        var page = get("/audit?limit=1");
        assertThat(page.json.getAsJsonArray("audit")).hasSize(1);
        var rest = get("/audit?after=" + page.text("next")).json.getAsJsonArray("audit");
        assertThat(rest.get(rest.size() - 1).getAsJsonObject().get("address").getAsString())
                .isEqualTo("127.0.0.1");
        assertThat(get("/leaders").status).isEqualTo(200);
    }

    private static int candidates() {
        try {
            return get("/leaders/scheduler").json.getAsJsonArray("waiters").size();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void a_release_with_the_fence_of_another_grant_is_refused() throws Exception {
        var granted = post("/locks/named/acquire", "{}");
        var release = "/tickets/" + granted.text("ticket") + "/release";
        long fence = granted.number("fence");
        assertThat(post(release, "{\"fence\": " + (fence - 1) + "}").code()).isEqualTo("fence-mismatch");
        assertThat(post(release, "{\"fence\": " + fence + "}").text("state")).isEqualTo("released");
    }

    @Test
    void a_ticket_is_good_for_one_thing_and_once() throws Exception {
        var body = "{\"ticket\": \"fedcba9876543210fedcba9876543210\", \"wait\": 20000}";
        var fence = post("/locks/once/acquire", body).number("fence");
        assertThat(post("/locks/once/acquire", body).number("fence")).isEqualTo(fence);
        assertThat(post("/locks/other/acquire", body).code()).isEqualTo("ticket-in-use");
        assertThat(post("/tickets/fedcba9876543210fedcba9876543210/release", "").text("state"))
                .isEqualTo("released");
        assertThat(post("/locks/once/acquire", body).code()).isEqualTo("released");
        assertThat(get("/locks/once").json.get("holder").isJsonNull()).isTrue();
    }

    @Test
    void a_revoked_holder_is_notified() throws Exception {
        var ticket = post("/locks/taken/acquire", "{}").text("ticket");
        long fence = get("/locks/taken").number("fence");
        assertThat(post("/locks/taken/release", OPERATOR).text("command"))
                .isEqualTo("release lock taken as of fence " + fence);
        assertThat(get("/tickets/" + ticket).text("state")).isEqualTo("lost");
        assertThat(post("/tickets/" + ticket + "/renew", "").code()).isEqualTo("lost");
        post("/locks/ended/acquire", "{}");
        var session = get("/sessions")
                .json
                .getAsJsonArray("sessions")
                .asList()
                .getLast()
                .getAsJsonObject()
                .get("session")
                .getAsString();
        assertThat(post("/sessions/" + session + "/expire", OPERATOR).text("effect"))
                .startsWith("ended the session of");
        assertThat(post("/locks/taken/release", "{\"operator\": \"ops\"}").code())
                .isEqualTo("invalid-request");
    }

    @Test
    void a_release_by_an_operator_does_not_hit_a_later_holder() throws Exception {
        long first = post("/locks/next/acquire", "{}").number("fence");
        var command = "{\"operator\": \"ops\", \"reason\": \"a test\", \"fence\": " + first + "}";
        assertThat(post("/locks/next/release", command).text("effect")).startsWith("taken from");
        long second = post("/locks/next/acquire", "{}").number("fence");
        assertThat(post("/locks/next/release", command).text("effect"))
                .startsWith("no holder; granted later, and kept: ")
                .endsWith(" with fence " + second);
        assertThat(get("/locks/next").number("fence")).isEqualTo(second);
    }

    @Test
    void the_service_reports_its_state() throws Exception {
        assertThat(get("/health").text("leader")).isEqualTo("n1");
        assertThat(get("/live").json.get("live").getAsBoolean()).isTrue();
        assertThat(get("/ready").json.get("ready").getAsBoolean()).isTrue();
        var status = get("/status");
        assertThat(status.json.get("faultTolerant").getAsBoolean()).isFalse();
        assertThat(status.json
                        .getAsJsonArray("nodes")
                        .get(0)
                        .getAsJsonObject()
                        .get("state")
                        .getAsString())
                .isEqualTo("up");
        assertThat(get("/members").json.getAsJsonArray("members")).hasSize(1);
        assertThat(get("/deadlocks").json.getAsJsonArray("deadlocks")).isEmpty();
        assertThat(post("/members", "{\"name\": \"n2\", \"address\": \"127.0.0.1:9\"}")
                        .code())
                .isEqualTo("rejected");
        var backup = client.send(request("/backup").build(), BodyHandlers.ofByteArray());
        assertThat(StorageFormat.decodeTable(backup.body()).index()).isPositive();
    }

    @Test
    void a_token_gives_the_permissions_of_its_policy_line_and_no_others() throws Exception {
        long before = node.policy().deniedCount();
        assertThat(send(with("secret", posting("/locks/orders-1/acquire", "{}"))).status)
                .isEqualTo(200);
        assertThat(send(with("secret", posting("/locks/other/acquire", "{}"))).code())
                .isEqualTo("forbidden");
        assertThat(send(with("secret", request("/locks/other"))).code()).isEqualTo("forbidden");
        assertThat(send(with("secret", posting("/locks/orders-1/release", OPERATOR))).status)
                .isEqualTo(403);
        assertThat(send(with("secret", request("/sessions"))).status).isEqualTo(403);
        assertThat(send(with("wrong", request("/locks"))).status).isEqualTo(401);
        assertThat(send(with("wrong", request("/health"))).status).isEqualTo(200);
        assertThat(node.policy().deniedCount() - before).isGreaterThanOrEqualTo(5);
    }

    private static HttpRequest.Builder with(String token, HttpRequest.Builder builder) {
        return builder.header("Authorization", "Bearer " + token);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /locks/never, '', 404, not-found",
        "GET, /leaders/never, '', 404, not-found",
        "GET, /semaphores/never, '', 404, not-found",
        "GET, /tickets/00, '', 404, not-found",
        "GET, /tickets/0011223344556677ffeeddccbbaa9988, '', 404, not-found",
        "POST, /locks/x/acquire, '{\"mode\": \"both\"}', 400, invalid-request",
        "POST, /locks/x/acquire, '{\"lease\": 200}', 400, invalid-request",
        "POST, /locks/acquire, '{\"locks\": []}', 400, invalid-request",
        "POST, /locks/acquire, '{\"locks\": [\"a\", \"a\"]}', 400, invalid-request",
        "POST, /semaphores/x/acquire, '{\"permits\": 2, \"size\": 1}', 400, invalid-request",
        "POST, /sessions/x/expire, '{\"reason\": \"y\"}', 400, invalid-request",
        "POST, /leaders/x/transfer, '{\"reason\": \"y\"}', 400, invalid-request",
        "POST, /members, '{\"name\": \"n2\"}', 400, invalid-request",
    })
    void an_error_response_has_a_code(String method, String path, String body, int status, String code)
            throws Exception {
        var response = method.equals("GET") ? get(path) : post(path, body);
        assertThat(response.status).isEqualTo(status);
        assertThat(response.code()).isEqualTo(code);
    }

    @Test
    void a_watch_sends_the_current_state_and_every_change() throws Exception {
        var stream = client.send(request("/watch").build(), BodyHandlers.ofInputStream())
                .body();
        try (var lines = new BufferedReader(new InputStreamReader(stream, UTF_8))) {
            assertThat(line(lines, "\"leader\":\"n1\"")).isEqualTo("data:{\"node\":\"n1\",\"leader\":\"n1\"}");
            var ticket = post("/locks/seen/acquire", "{\"client\": \"me\"}").text("ticket");
            assertThat(line(lines, "\"name\":\"seen\"")).contains("\"node\":\"n1\",\"holder\":\"me\",\"fence\":");
            post("/tickets/" + ticket + "/release", "");
            assertThat(line(lines, "\"name\":\"seen\",\"node\":\"n1\",\"holder\":null"))
                    .isNotNull();
        }
    }

    private static String line(BufferedReader lines, String part) throws IOException {
        var line = lines.readLine();
        while (line != null && !line.contains(part)) {
            line = lines.readLine();
        }
        return String.valueOf(line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "/", "a//b", "../x", "x/..", "%2F", "100%", "a b", "a+b", "#?&;=", "订单", "…"})
    void a_name_with_any_printable_character_works_percent_encoded(String name) throws Exception {
        var encoded = URLEncoder.encode(name, UTF_8).replace("+", "%20");
        var acquired = send(request("/locks/" + encoded + "/acquire")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{}")));
        assertThat(acquired.status()).isEqualTo(200);
        assertThat(acquired.text("lock")).isEqualTo(name);
        assertThat(send(request("/locks/" + encoded)).text("name")).isEqualTo(name);
        assertThat(send(request("/locks?prefix=" + encoded)).json().toString()).contains("\"holder\":\"http\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"%2e", "%2E%2E", "%20", "a%0Ab", "a%00", "a%C2%85", "a%E2%80%AEb", "a%E2%80%8Bb", "e%CC%81"})
    void a_name_that_is_not_what_it_looks_like_is_refused(String encoded) throws Exception {
        for (var path : List.of("/locks/", "/semaphores/", "/leaders/")) {
            assertThat(send(request(path + encoded)).status()).as(path).isEqualTo(400);
        }
        var acquired = send(request("/locks/" + encoded + "/acquire")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{}")));
        assertThat(acquired.status()).isEqualTo(400);
        assertThat(acquired.json().toString()).contains("invalid name: '", "use 1 to 200 letters");
        var name = URLDecoder.decode(encoded, UTF_8);
        var body = new JsonObject();
        body.addProperty("client", name);
        var client = send(request("/locks/named/acquire")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString())));
        assertThat(client.status()).isEqualTo(400);
    }
}
