package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The fence guard in a database: H2, or that of {@code -Dhabemus.jdbc=…}, as client/postgresql does. */
@Timeout(60)
class JdbcFenceGuardTest {

    private static final String URL = System.getProperty("habemus.jdbc", "jdbc:h2:mem:fences;LOCK_TIMEOUT=20000");

    private final JdbcFenceGuard guard = JdbcFenceGuard.inDefaultTable();
    private final List<Connection> connections = new ArrayList<>();
    private Connection first;
    private Connection two;

    private Connection connect() throws SQLException {
        var connection = DriverManager.getConnection(URL);
        connections.add(connection);
        connection.setAutoCommit(false);
        return connection;
    }

    @BeforeEach
    void begin() throws SQLException {
        first = connect();
        two = connect();
        guard.createTable(first);
        try (var statement = first.createStatement()) {
            statement.execute("DELETE FROM habemus_fence");
            statement.execute("CREATE TABLE IF NOT EXISTS archive (fence BIGINT NOT NULL)");
            statement.execute("DELETE FROM archive");
        }
        first.commit();
    }

    @AfterEach
    void end() throws SQLException {
        for (var connection : connections) {
            connection.rollback();
            connection.close();
        }
    }

    private static void write(Connection connection, long fence) throws SQLException {
        try (var insert = connection.prepareStatement("INSERT INTO archive (fence) VALUES (?)")) {
            insert.setLong(1, fence);
            insert.executeUpdate();
        }
    }

    private List<Long> written() throws SQLException {
        try (var select = first.createStatement();
                var rows = select.executeQuery("SELECT fence FROM archive ORDER BY fence")) {
            var all = new ArrayList<Long>();
            while (rows.next()) {
                all.add(rows.getLong(1));
            }
            return all;
        }
    }

    @Test
    void a_guard_rejects_a_smaller_fence_than_a_committed_one() throws SQLException {
        guard.check(first, "orders", 5);
        guard.check(first, "orders", 5);
        guard.check(first, "invoices", 1);
        first.commit();
        guard.check(two, "orders", 9);
        two.commit();
        assertThatThrownBy(() -> guard.check(first, "orders", 8))
                .isInstanceOfSatisfying(
                        StaleFenceException.class,
                        late -> assertThat(late.largestSeen()).isEqualTo(9));
        first.rollback();
        guard.check(first, "orders", 9);
    }

    @Test
    void a_fence_that_was_rolled_back_does_not_count() throws SQLException {
        guard.check(first, "orders", 9);
        first.rollback();
        guard.check(two, "orders", 5);
        two.commit();
    }

    @Test
    void a_stale_writer_waits_for_the_running_transaction_and_is_rejected() throws Exception {
        guard.check(first, "orders", 1);
        first.commit();
        guard.check(first, "orders", 9);
        write(first, 9);
        var late = begin(two, 5);
        first.commit();
        assertThatThrownBy(() -> late.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(StaleFenceException.class);
        two.rollback();
        assertThat(written()).containsExactly(9L);
    }

    @Test
    void two_concurrent_first_writers_are_ordered() throws Exception {
        guard.check(first, "orders", 9);
        var late = begin(two, 5);
        first.commit();
        assertThatThrownBy(() -> late.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(StaleFenceException.class);
        two.rollback();
        guard.check(first, "invoices", 5);
        var next = CompletableFuture.runAsync(() -> check(two, "invoices", 9), ProcessEnvironment.CALLBACK_EXECUTOR);
        first.commit();
        next.get(30, TimeUnit.SECONDS);
        two.commit();
    }

    /** The check may or may not wait for the other transaction; the result must be the same. */
    private CompletableFuture<Void> begin(Connection connection, long fence) throws InterruptedException {
        var begun = new CountDownLatch(1);
        var done = CompletableFuture.runAsync(
                () -> {
                    begun.countDown();
                    check(connection, "orders", fence);
                },
                ProcessEnvironment.CALLBACK_EXECUTOR);
        begun.await();
        return done;
    }

    private void check(Connection connection, String name, long fence) {
        try {
            guard.check(connection, name, fence);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void concurrent_transactions_write_in_the_order_of_their_fences() throws Exception {
        var last = new AtomicLong();
        var threads = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < 4; i++) {
            var connection = connect();
            int mine = i;
            threads.add(CompletableFuture.runAsync(
                    () -> writeWithEveryFourthFence(connection, mine, last), ProcessEnvironment.CALLBACK_EXECUTOR));
        }
        for (var thread : threads) {
            thread.get(50, TimeUnit.SECONDS);
        }
        assertThat(written()).contains(39L).doesNotHaveDuplicates();
    }

    private void writeWithEveryFourthFence(Connection connection, int mine, AtomicLong last) {
        try {
            for (long fence = mine; fence < 40; fence += 4) {
                try {
                    guard.check(connection, "rush", fence);
                    write(connection, fence);
                    // the check excludes other writers until the commit
                    assertThat(last.getAndSet(fence)).isLessThanOrEqualTo(fence);
                    connection.commit();
                } catch (StaleFenceException late) {
                    connection.rollback();
                }
            }
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_check_needs_a_transaction_and_a_valid_table_name() throws SQLException {
        first.setAutoCommit(true);
        assertThatThrownBy(() -> guard.check(first, "orders", 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("setAutoCommit(false)");
        first.setAutoCommit(false);
        assertThatThrownBy(() -> JdbcFenceGuard.inTable("x; DROP TABLE y"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
