package habemus.service.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.service.algorithm.TestClusters;
import habemus.service.server.AccessPolicy;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.transport.HttpListener;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a lock server does with hostile and slow HTTP connections: bytes on raw sockets. */
@Timeout(60)
@Tag("slow")
class HttpConnectionTest {

    private static final String TOKEN = "8f2d41c7";
    private static final int MAX_BODY_BYTES = 4_096;
    private static final int MAX_CONNECTIONS = 12;
    private static final int MAX_IDLE = 6;
    private static final HttpListener.Limits LIMITS = new HttpListener.Limits(
            Duration.ofMillis(800),
            Duration.ofMillis(1_200),
            Duration.ofSeconds(1),
            MAX_BODY_BYTES,
            MAX_CONNECTIONS,
            MAX_IDLE);

    @TempDir
    private static Path folder;

    private static LockServerNode node;
    private static HttpServer server;

    private final List<Socket> sockets = new ArrayList<>();

    @BeforeAll
    static void open() throws IOException {
        var policy = folder.resolve("policy");
        Files.write(policy, List.of("anonymous guest use,inspect:*", AccessPolicy.hashToken(TOKEN) + " ops use:*"));
        var here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var member = TestClusters.members(1).getFirst();
        node = LockServerNode.start(LockServerConfig.of(List.of(member), member.node(), Optional.empty())
                .withAddresses(here, here)
                .withHttpNames(Set.of("Locks.Example"))
                .withPolicyFile(policy));
        server = new HttpServer(node, LIMITS);
    }

    @AfterAll
    static void close() {
        server.close();
        node.close();
    }

    @AfterEach
    void closeSockets() throws IOException {
        for (var socket : sockets) {
            socket.close();
        }
    }

    private Socket connect() throws IOException {
        var socket = new Socket(server.address().getAddress(), server.address().getPort());
        socket.setSoTimeout(20_000);
        sockets.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    }

    /** All that the node sends until it ends the connection. */
    private static String receiveAll(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    /** The response to the last request of a connection. */
    private String exchange(String request) throws IOException {
        var socket = connect();
        send(socket, request);
        return receiveAll(socket);
    }

    private static int status(String response) {
        return Integer.parseInt(response.split(" ", 3)[1]);
    }

    private static String head(String line, String... headers) {
        return line + " HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\n\r\n";
    }

    private static String last(String line, String... headers) {
        var all = new ArrayList<>(List.of("Host: 127.0.0.1", "Connection: close"));
        all.addAll(List.of(headers));
        return head(line, all.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 2|Transfer-Encoding: chunked",
                "Transfer-Encoding: chunked|Content-Length: 2",
                "Content-Length: 2|Content-Length: 2",
                "Content-Length: 2|Content-Length: 3",
                "Content-Length: 2, 2",
                "Content-Length: +2",
                "Content-Length: -2",
                "Content-Length: 0x2",
                "Content-Length: 2 2",
                "Content-Length:",
                "Content-Length: 99999999999999999999",
                "Content-Length : 2",
                "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: identity",
                "Transfer-Encoding: chunked|Transfer-Encoding: chunked",
                "Host: 127.0.0.1",
                "Authorization: Bearer a|Authorization: Bearer b",
                "X\u0000: y",
                "no colon"
            })
    void a_request_whose_end_is_ambiguous_is_rejected_and_nothing_after_it_is_read(String headers) throws IOException {
        var response = exchange(head("POST /locks/x/acquire", ("Host: 127.0.0.1|" + headers).split("\\|")) + "{}"
                + last("GET /health"));
        assertThat(status(response)).isEqualTo(400);
        assertThat(response.split("HTTP/1.1 ", -1)).as("one response").hasSize(2);
        assertThat(response).contains("connection: close", "\"code\":\"invalid-request\"", "\"hint\":");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET http://evil.example/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                "GET /health HTTP/1.1\r\n\r\n",
                "POST /locks/x/acquire HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /locks/x/acquire HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
                "GET /locks/%zz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
                "GET /locks/%f HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
                "GET /locks/%c0%af HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
                "GET /locks/\u00e9 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
                "GET /locks#x HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
                "\u0016\u0003\u0001 no http at all\r\n\r\n"
            })
    void a_malformed_request_is_rejected(String request) throws IOException {
        assertThat(status(exchange(request))).isEqualTo(400);
    }

    @Test
    void another_version_of_http_is_rejected() throws IOException {
        assertThat(status(exchange("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))).isEqualTo(505);
    }

    @Test
    void long_lines_headers_and_bodies_are_rejected_unread() throws IOException {
        assertThat(status(exchange(last("GET /" + "x".repeat(5_000))))).isEqualTo(414);
        assertThat(status(exchange(last("GET /health", "X: " + "x".repeat(9_000)))))
                .isEqualTo(431);
        var json = "Content-Type: application/json";
        assertThat(status(exchange(last("POST /locks/x/acquire", json, "Content-Length: 4097"))))
                .isEqualTo(413);
        var chunk = "800\r\n" + " ".repeat(0x800) + "\r\n";
        assertThat(status(
                        exchange(last("POST /locks/x/acquire", json, "Transfer-Encoding: chunked") + chunk.repeat(3))))
                .isEqualTo(413);
    }

    @Test
    void a_chunked_body_is_read() throws IOException {
        var response = exchange(
                last("POST /locks/chunked/acquire", "Content-Type: application/json", "Transfer-Encoding: chunked")
                        + "2\r\n{}\r\n0\r\n\r\n");
        assertThat(status(response)).isEqualTo(200);
    }

    @Test
    void a_client_that_expects_it_is_told_to_continue() throws IOException {
        var socket = connect();
        send(
                socket,
                last(
                        "POST /locks/continue/acquire",
                        "Content-Type: application/json",
                        "Expect: 100-continue",
                        "Content-Length: 2"));
        var line = new String(socket.getInputStream().readNBytes(25), ISO_8859_1);
        assertThat(line).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
        send(socket, "{}");
        assertThat(status(receiveAll(socket))).isEqualTo(200);
    }

    @Test
    void a_connection_serves_one_request_after_the_other() throws IOException {
        var socket = connect();
        for (int i = 0; i < 3; i++) {
            send(socket, head("GET /health", "Host: localhost"));
            assertThat(new String(socket.getInputStream().readNBytes(15), ISO_8859_1))
                    .isEqualTo("HTTP/1.1 200 OK");
            skipResponse(socket);
        }
    }

    private static void skipResponse(Socket socket) throws IOException {
        var text = new StringBuilder();
        while (text.indexOf("}") < 0) {
            text.append((char) socket.getInputStream().read());
        }
    }

    @Test
    void a_pipelined_request_is_not_answered() throws IOException {
        var waiting = head(
                "POST /locks/pipelined/acquire",
                "Host: localhost",
                "Content-Type: application/json",
                "Content-Length: 2");
        var response = exchange(waiting + "{}" + head("GET /health", "Host: localhost"));
        assertThat(status(response)).isEqualTo(200);
        assertThat(response).contains("connection: close").doesNotContain("\"state\":\"up\"");
    }

    @Test
    void a_client_that_has_ended_its_side_gets_its_response() throws IOException {
        var socket = connect();
        send(socket, head("GET /health", "Host: localhost"));
        socket.shutdownOutput();
        assertThat(status(receiveAll(socket))).isEqualTo(200);
    }

    @Test
    void http_1_0_is_answered_and_ends() throws IOException {
        assertThat(status(exchange("GET /health HTTP/1.0\r\n\r\n"))).isEqualTo(200);
    }

    @Test
    void a_response_to_head_has_no_body() throws IOException {
        var response = exchange(last("HEAD /health"));
        assertThat(status(response)).isEqualTo(405);
        assertThat(response).endsWith("\r\n\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 200",
        "127.0.0.1:7801, 200",
        "[::1]:7801, 200",
        "LOCALHOST:7801, 200",
        "localhost.:7801, 200",
        "locks.example, 200",
        "evil.example, 421",
        "127.0.0.1.evil.example:7801, 421",
        "localhost:7801:1, 421",
        "evil.example@127.0.0.1, 421",
        "'', 421"
    })
    void the_host_must_be_an_address_or_a_configured_name(String host, int status) throws IOException {
        assertThat(status(exchange(head("GET /health", "Host: " + host, "Connection: close"))))
                .isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://evil.example", "http://127.0.0.1:7801", "null"})
    void a_request_of_a_web_page_is_rejected(String origin) throws IOException {
        assertThat(status(exchange(last("GET /health", "Origin: " + origin)))).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({"Bearer, 403", "bearer, 403", "BEARER, 403", "Basic, 404"})
    void the_authentication_scheme_is_read_in_any_case(String scheme, int status) throws IOException {
        // a client without a token may inspect locks, ops may not
        assertThat(status(exchange(last("GET /locks/unknown", "Authorization: " + scheme + " " + TOKEN))))
                .isEqualTo(status);
    }

    @Test
    void a_slow_head_is_cut_off() throws IOException {
        var socket = connect();
        send(socket, "GET /health HTTP/1.1\r\nHost: localhost\r\nX: ");
        assertThat(status(receiveAll(socket))).isEqualTo(408);
    }

    @Test
    void bytes_that_trickle_do_not_extend_the_time_of_a_request() throws IOException {
        var socket = connect();
        var dripping = Thread.ofVirtual().start(() -> {
            try {
                send(socket, "GET /health HTTP/1.1\r\nHost: localhost\r\nX: ");
                while (!socket.isOutputShutdown()) {
                    send(socket, "x");
                    LockSupport.parkNanos(50_000_000);
                }
            } catch (IOException closed) {
                return;
            }
        });
        assertThat(status(receiveAll(socket))).isEqualTo(408);
        socket.close();
        dripping.interrupt();
    }

    @Test
    void a_slow_body_is_cut_off() throws IOException {
        assertThat(status(exchange(last("POST /locks/x/acquire", "Content-Length: 10") + "{")))
                .isEqualTo(408);
    }

    @Test
    void a_silent_connection_is_closed() throws IOException {
        assertThat(receiveAll(connect())).isEmpty();
    }

    @Test
    void an_idle_connection_is_closed() throws IOException {
        var response = exchange(head("GET /health", "Host: localhost"));
        assertThat(status(response)).isEqualTo(200);
        assertThat(response).doesNotContain("connection: close");
    }

    @Test
    void silent_connections_do_not_keep_a_client_out() throws IOException {
        for (int i = 0; i < 4 * MAX_CONNECTIONS; i++) {
            connect();
            assertThat(status(exchange(last("GET /health")))).isEqualTo(200);
        }
    }

    @Test
    void connections_beyond_the_limit_are_closed_and_free_again_later() throws IOException {
        var acquire = head(
                "POST /locks/busy/acquire", "Host: localhost", "Content-Type: application/json", "Content-Length: 15");
        assertThat(status(
                        exchange(last("POST /locks/busy/acquire", "Content-Type: application/json", "Content-Length: 2")
                                + "{}")))
                .isEqualTo(200);
        while (!isRefused()) {
            send(connect(), acquire + "{\"wait\": 20000}");
        }
        closeSockets();
        while (isRefused()) {
            LockSupport.parkNanos(20_000_000);
        }
    }

    private boolean isRefused() {
        try {
            return exchange(last("GET /health")).isEmpty();
        } catch (IOException reset) {
            return true;
        }
    }
}
