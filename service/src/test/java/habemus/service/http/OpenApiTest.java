package habemus.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import habemus.service.algorithm.TestClusters;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.transport.Member;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The OpenAPI document describes exactly the routes, request fields and response fields of a lock server. */
@Timeout(60)
@Tag("slow")
class OpenApiTest {

    private static LockServerNode node;
    private static HttpServer server;

    @BeforeAll
    static void open() {
        var here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Member member = TestClusters.members(1).getFirst();
        node = LockServerNode.start(LockServerConfig.of(List.of(member), member.node(), Optional.empty())
                .withAddresses(here, here));
        server = new HttpServer(node);
    }

    @AfterAll
    static void close() {
        server.close();
        node.close();
    }

    @Test
    void the_document_lists_all_routes() {
        var routes = new TreeSet<String>();
        routes.add("GET /watch");
        server.routes().values().stream()
                .flatMap(List::stream)
                .forEach(route -> routes.add(route.method() + " " + route.path()));
        assertThat(OpenApiDocument.routes()).isEqualTo(routes);
    }

    static Stream<Route> routes() {
        return server.routes().values().stream().flatMap(List::stream);
    }

    @ParameterizedTest
    @MethodSource("routes")
    void the_document_lists_all_body_fields(Route route) {
        assertThat(OpenApiDocument.bodyFields(route.method(), route.path()))
                .containsExactlyInAnyOrderElementsOf(route.bodyFields());
    }

    static Stream<String> schemas() {
        return OpenApiDocument.schemas().keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("schemas")
    void the_document_lists_all_response_fields(String schema) {
        var record = Arrays.stream(ApiResponses.class.getDeclaredClasses())
                .filter(type -> type.getSimpleName().equals(schema))
                .findFirst()
                .orElseThrow();
        assertThat(Arrays.stream(record.getRecordComponents()).map(part -> part.getName()))
                .containsExactlyElementsOf(OpenApiDocument.properties(schema));
    }

    @Test
    void the_document_is_served() throws Exception {
        var uri = URI.create("http://127.0.0.1:" + server.address().getPort() + "/openapi.json");
        try (var client = HttpClient.newHttpClient()) {
            var served = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            assertThat(JsonParser.parseString(served.body())).isEqualTo(OpenApiDocument.DOCUMENT);
        }
    }
}
