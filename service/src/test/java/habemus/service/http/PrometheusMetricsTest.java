package habemus.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.service.algorithm.TestClusters;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a node that has granted, released and rejected. */
@Timeout(60)
@Tag("slow")
class PrometheusMetricsTest {

    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";

    /** Families that a cluster of one node does not have. */
    private static final Set<String> OF_LARGER_CLUSTERS = Set.of("habemus_replication_lag_entries");

    @TempDir
    static Path folder;

    private static LockServerNode node;
    private static HttpServer server;
    private static HttpClient client;

    @BeforeAll
    static void open() throws IOException, InterruptedException {
        var here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var member = TestClusters.members(1).getFirst();
        node = LockServerNode.start(
                LockServerConfig.of(List.of(member), member.node(), Optional.of(folder.resolve("data")))
                        .withAddresses(here, here));
        server = new HttpServer(node);
        client = HttpClient.newHttpClient();
        var ticket = post("/locks/orders/acquire", "{}").body().replaceFirst("(?s).*\"ticket\":\"(\\w+)\".*", "$1");
        post("/tickets/" + ticket + "/release", "{}");
        post("/semaphores/pool/acquire", "{\"size\": 2}");
        assertThat(post("/semaphores/pool/acquire", "{\"size\": 3}").statusCode())
                .isEqualTo(409);
    }

    @AfterAll
    static void close() {
        client.shutdownNow();
        server.close();
        node.close();
    }

    private static HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.address().getPort() + path));
    }

    private static HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        var request = to(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        return client.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> scrape(String accept) throws IOException, InterruptedException {
        return client.send(to("/metrics").header("Accept", accept).build(), BodyHandlers.ofString());
    }

    @Test
    void a_scraper_gets_the_format_that_it_accepts() throws Exception {
        var openMetrics = scrape(OPEN_METRICS);
        assertThat(openMetrics.headers().firstValue("Content-Type").orElseThrow())
                .startsWith("application/openmetrics-text");
        assertThat(openMetrics.body()).endsWith("# EOF\n");
        var text = scrape("text/plain");
        assertThat(text.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
        assertThat(text.body()).doesNotContain("# EOF");
    }

    @Test
    void both_formats_follow_their_grammar() throws Exception {
        assertThat(MetricsText.parse(scrape("text/plain").body()).families()).hasSizeGreaterThan(30);
        assertThat(MetricsText.parse(scrape(OPEN_METRICS).body()).families()).hasSizeGreaterThan(30);
    }

    @Test
    void what_the_node_did_is_counted_and_measured() throws Exception {
        var metrics = MetricsText.parse(scrape("text/plain").body());
        assertThat(metrics.value("habemus_grant_seconds_count{kind=\"lock\"}")).isEqualTo(1);
        assertThat(metrics.value("habemus_grant_seconds_count{kind=\"semaphore\"}"))
                .isEqualTo(1);
        assertThat(metrics.value("habemus_hold_seconds_count{end=\"released\",kind=\"lock\"}"))
                .isEqualTo(1);
        assertThat(metrics.value("habemus_rejected_requests_total{reason=\"size-mismatch\"}"))
                .isEqualTo(1);
        assertThat(metrics.value("habemus_commit_seconds_count")).isPositive();
        assertThat(metrics.value("habemus_log_sync_seconds_count")).isPositive();
        assertThat(metrics.value("habemus_has_leader")).isEqualTo(1);
        assertThat(metrics.value("habemus_leader_changes_total")).isEqualTo(1);
        assertThat(metrics.value("habemus_resources{kind=\"semaphore\"}")).isEqualTo(1);
        assertThat(metrics.value("habemus_staleness_seconds")).isLessThan(10);
    }

    @Test
    void the_table_in_the_documentation_has_all_metrics_with_their_meaning() throws Exception {
        var documented = Arrays.stream(
                        Files.readString(Path.of("..", "docs", "operations.md")).split("\n"))
                .filter(line -> line.matches("\\| `(habemus|jvm|process)_.*"))
                .map(line -> line.replaceFirst("^((\\|[^|]*){3}\\|).*", "$1")) // without the labels
                .collect(Collectors.toCollection(TreeSet::new));
        var metrics = MetricsText.parse(scrape("text/plain").body());
        var exported = metrics.families().values().stream()
                .map(family -> "| `" + family.name() + "` | " + family.type() + " | "
                        + family.help().replaceAll("[.]$", "") + " |")
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).containsAll(exported);
        var names = metrics.families().keySet();
        assertThat(documented.stream()
                        .map(line -> line.split("`", 3)[1])
                        .filter(name -> name.startsWith("habemus_") && !OF_LARGER_CLUSTERS.contains(name)))
                .isSubsetOf(names);
    }
}
