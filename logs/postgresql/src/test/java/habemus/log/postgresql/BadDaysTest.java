package habemus.log.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import habemus.protocol.NodeId;
import habemus.service.log.EngineConfig;
import habemus.service.log.IndeterminateOutcomeException;
import habemus.service.log.LogDivergedException;
import habemus.service.log.ProposalRejectedException;
import habemus.service.log.RecordingStateMachine;
import habemus.service.log.ReplicatedLogContract;
import habemus.service.transport.Member;
import habemus.service.transport.NettyEventLoop;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** What a node does when its database is killed, full, read-only, pooled, or not its own. */
@Tag("slow")
@EnabledIf("habemus.log.postgresql.PostgresLogTest#isInstalled")
class BadDaysTest {

    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static PostgresServer server;

    private final String schema = "bad" + SCHEMAS.incrementAndGet();
    private final String url = server.newSchema(schema);
    private final List<PostgresLog> logs = new ArrayList<>();
    private final List<NettyEventLoop> loops = new ArrayList<>();
    private final RecordingStateMachine stateMachine = new RecordingStateMachine();

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start();
        server.execute("CREATE ROLE pooled LOGIN SUPERUSER");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @AfterEach
    void close() {
        logs.forEach(PostgresLog::close);
        loops.forEach(NettyEventLoop::close);
    }

    private PostgresLog open(int node, String at, String cluster) {
        var loop = new NettyEventLoop("log-n" + node);
        loops.add(loop);
        var self = new Member(new NodeId(node), InetSocketAddress.createUnresolved("127.0.0.1", 7_600 + node));
        var config = EngineConfig.of(new EngineConfig.Engine(at, Optional.empty()), cluster, self, 32 << 20)
                .withProposalTimeout(Duration.ofSeconds(2));
        var log = (PostgresLog) new PostgresLogProvider().open(config, loop);
        logs.add(log);
        return log;
    }

    private PostgresLog start() {
        var log = open(1, url, "habemus");
        log.start(stateMachine);
        return log;
    }

    private static CompletableFuture<Void> propose(PostgresLog log, String line) {
        return log.propose(line.getBytes(UTF_8));
    }

    private static void await(BooleanSupplier condition) {
        ReplicatedLogContract.await(condition);
    }

    /** Runs statements in the schema of this test. */
    private void execute(String... statements) {
        var all = new ArrayList<>(List.of("SET search_path = " + schema));
        all.addAll(List.of(statements));
        server.execute(all.toArray(String[]::new));
    }

    private static void assertProblem(PostgresLog log, String text) {
        await(() ->
                log.health().problem().filter(problem -> problem.contains(text)).isPresent());
    }

    @Test
    void a_killed_database_loses_nothing_that_was_acknowledged() throws Exception {
        var log = start();
        var acknowledged = new ArrayList<String>();
        var proposed = new ArrayList<String>();
        for (int i = 0; i < 90; i++) {
            if (i == 30 || i == 60) {
                var open = propose(log, "open" + i);
                server.kill();
                assertProblem(log, "database");
                server.startAgain();
                proposed.add("open" + i);
                try {
                    open.get(30, SECONDS);
                    acknowledged.add("open" + i);
                } catch (ExecutionException unknown) {
                    assertThat(unknown.getCause())
                            .isInstanceOfAny(IndeterminateOutcomeException.class, ProposalRejectedException.class);
                }
            }
            proposed.add("a" + i);
            try {
                propose(log, "a" + i).get(30, SECONDS);
                acknowledged.add("a" + i);
            } catch (ExecutionException unknown) {
                assertThat(unknown.getCause())
                        .isInstanceOfAny(IndeterminateOutcomeException.class, ProposalRejectedException.class);
            }
        }
        assertThat(acknowledged).hasSizeGreaterThan(80);
        assertThat(stateMachine.entries()).doesNotHaveDuplicates().containsSubsequence(acknowledged);
        assertThat(proposed).containsAll(stateMachine.entries());
        await(() -> log.health().problem().isEmpty()); // the connection that reads is opened again later
    }

    @Test
    void a_read_only_database_is_named_and_used_again_later() throws Exception {
        var log = start();
        propose(log, "a").get(30, SECONDS);
        server.execute(
                "ALTER DATABASE postgres SET default_transaction_read_only = on",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'habemus%'");
        assertProblem(log, "database is read-only");
        assertThatThrownBy(() -> propose(log, "b").get(30, SECONDS))
                .hasCauseInstanceOf(IndeterminateOutcomeException.class)
                .hasMessageContaining("read-only");
        await(() -> stateMachine.leader().isEmpty());
        server.execute(
                "SET default_transaction_read_only = off",
                "ALTER DATABASE postgres RESET default_transaction_read_only",
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'habemus%'");
        await(() -> log.health().problem().isEmpty());
        propose(log, "c").get(30, SECONDS);
        await(() -> stateMachine.leader().isPresent());
    }

    @Test
    void a_full_disk_is_named_and_used_again_later() throws Exception {
        var log = start();
        execute(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS"
                        + " 'BEGIN RAISE EXCEPTION ''No space left on device'' USING ERRCODE = ''53100''; END'",
                "CREATE TRIGGER full_disk BEFORE INSERT ON habemus_entry EXECUTE FUNCTION full_disk()");
        assertThatThrownBy(() -> propose(log, "a").get(30, SECONDS)).hasMessageContaining("out of disk");
        assertProblem(log, "database is out of disk: ERROR: No space left on device; hint: ");
        execute("DROP TRIGGER full_disk ON habemus_entry");
        await(() -> log.health().problem().isEmpty());
        propose(log, "b").get(30, SECONDS);
        assertThat(stateMachine.entries()).endsWith("b").doesNotHaveDuplicates();
    }

    @Test
    void without_a_free_connection_the_node_does_not_start() throws Exception {
        server.execute("CREATE ROLE crowded LOGIN CONNECTION LIMIT 0");
        assertThatThrownBy(() -> open(1, url.replace("user=postgres", "user=crowded"), "habemus")
                        .start(stateMachine))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("out of connections")
                .hasMessageContaining("hint: ");
    }

    @Test
    void tables_of_a_newer_program_are_refused() {
        start();
        execute("UPDATE habemus_schema SET version = 99");
        assertThatThrownBy(() -> open(2, url, "habemus").start(new RecordingStateMachine()))
                .hasMessageContaining("tables have version 99, this program knows 1")
                .hasMessageContaining("hint: ");
    }

    @Test
    void a_node_of_another_cluster_is_refused() {
        start();
        assertThatThrownBy(() -> open(2, url, "other").start(new RecordingStateMachine()))
                .hasMessageContaining("the tables belong to the cluster 'habemus', this node to 'other'")
                .hasMessageContaining("hint: ");
    }

    @Test
    void a_database_that_went_back_stops_the_node() throws Exception {
        var log = start();
        propose(log, "a").get(30, SECONDS);
        execute("CREATE TABLE before AS SELECT last, chain FROM habemus_head");
        propose(log, "lost").get(30, SECONDS);
        execute(
                "DELETE FROM habemus_entry WHERE index > (SELECT last FROM before)",
                "UPDATE habemus_head SET last = b.last, chain = b.chain FROM before b");
        assertThat(log.failure().get(30, SECONDS))
                .isInstanceOf(LogDivergedException.class)
                .hasMessageContaining("asynchronous failover?");
    }

    @Test
    void a_database_that_went_back_and_grew_again_stops_the_node() throws Exception {
        var log = start();
        propose(log, "a").get(30, SECONDS);
        execute(
                "UPDATE habemus_head SET chain = chain # 77",
                "UPDATE habemus_entry SET chain = chain # 77, salt = salt # 77");
        assertThat(log.failure().get(30, SECONDS)).isInstanceOf(LogDivergedException.class);
    }

    @Test
    void the_later_of_two_nodes_of_one_name_stays() throws Exception {
        var first = start();
        var second = open(1, url, "habemus");
        second.start(new RecordingStateMachine());
        assertThat(first.failure().get(30, SECONDS)).hasMessageContaining("another process runs as n1");
        propose(second, "a").get(30, SECONDS);
    }

    @Test
    void a_role_with_the_listed_permissions_is_enough() throws Exception {
        start().close();
        server.execute(
                "CREATE ROLE locks LOGIN",
                "GRANT USAGE ON SCHEMA " + schema + " TO locks",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA " + schema + " TO locks",
                "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA " + schema + " TO locks");
        var log = open(2, url.replace("user=postgres", "user=locks"), "habemus");
        log.start(new RecordingStateMachine());
        propose(log, "a").get(30, SECONDS);
        log.compact().get(30, SECONDS);
        assertThat(log.stats().snapshots()).isPositive();
    }

    @Test
    void a_role_without_permissions_is_refused() {
        start();
        server.execute("CREATE ROLE stranger LOGIN", "GRANT USAGE ON SCHEMA " + schema + " TO stranger");
        assertThatThrownBy(() -> open(2, url.replace("user=postgres", "user=stranger"), "habemus")
                        .start(new RecordingStateMachine()))
                .hasMessageContaining("permission denied")
                .hasMessageContaining("hint: grant");
    }

    @Test
    void nodes_behind_a_pooler_in_transaction_mode_poll() throws Exception {
        server.execute("ALTER ROLE pooled SET search_path = " + schema);
        try (var pooler = new Pooler(server)) {
            var pooled = open(1, pooler.url(""), "habemus");
            pooled.start(stateMachine);
            var direct = open(2, url, "habemus");
            var other = new RecordingStateMachine();
            direct.start(other);
            for (int i = 0; i < 50; i++) {
                propose(i % 2 == 0 ? pooled : direct, "a" + i).get(30, SECONDS);
            }
            await(() -> stateMachine.entries().size() == 50 && other.entries().equals(stateMachine.entries()));
            pooled.compact().get(30, SECONDS);
        }
    }

    @Test
    void a_pooler_that_ignores_the_schema_of_the_url_is_refused() throws Exception {
        try (var pooler = new Pooler(server)) {
            assertThatThrownBy(() -> open(1, pooler.url("&currentSchema=" + schema), "habemus")
                            .start(stateMachine))
                    .hasMessageContaining("schema must be '" + schema + "', was '")
                    .hasMessageContaining("hint: ALTER ROLE");
        }
    }

    /** PgBouncer in transaction mode. */
    private static final class Pooler implements AutoCloseable {
        private static final Path PROGRAM = Path.of("/usr/sbin/pgbouncer");

        private final int port = PostgresServer.freePort();
        private final Process process;

        Pooler(PostgresServer server) throws Exception {
            assumeTrue(Files.isExecutable(PROGRAM), "PgBouncer is installed");
            var folder = Files.createTempDirectory(server.folder(), "pooler");
            folder.toFile().setExecutable(true, false);
            folder.toFile().setReadable(true, false);
            Files.writeString(folder.resolve("users"), "\"pooled\" \"\"\n");
            Files.writeString(folder.resolve("pgbouncer.ini"), """
                    [databases]
                    postgres = host=127.0.0.1 port=%d
                    [pgbouncer]
                    listen_addr = 127.0.0.1
                    listen_port = %d
                    unix_socket_dir =
                    auth_type = trust
                    auth_file = %s/users
                    pool_mode = transaction
                    default_pool_size = 3
                    ignore_startup_parameters = extra_float_digits,search_path
                    """.formatted(server.port(), port, folder));
            process = new ProcessBuilder(
                            "setpriv",
                            "--reuid=postgres",
                            "--regid=postgres",
                            "--clear-groups",
                            PROGRAM.toString(),
                            folder + "/pgbouncer.ini")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            await(this::answers);
        }

        private boolean answers() {
            try (var connection = DriverManager.getConnection(url(""))) {
                return connection.isValid(1);
            } catch (SQLException notYet) {
                return false;
            }
        }

        String url(String parameters) {
            return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=pooled" + parameters;
        }

        @Override
        public void close() {
            process.destroy();
            process.onExit().join();
        }
    }
}
