package habemus.service.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Who writes to a connection, and until when. */
class ConnectionWriterTest {

    private final ConnectionWriter connectionWriter = new ConnectionWriter(20_000);
    private final BlockingQueue<String> written = new LinkedBlockingQueue<>();

    /** Says who wrote how much. */
    private class Sheet implements ConnectionWriter.Channel {
        final CompletableFuture<Thread> torn = new CompletableFuture<>();

        @Override
        public void write(byte[] bytes) throws IOException {
            written.add(
                    bytes.length + " by " + (Thread.currentThread().getName().equals("client-pen") ? "pen" : "us"));
        }

        @Override
        public void finish() throws IOException {
            written.add("end");
        }

        @Override
        public void onFailure(IOException why) {
            connectionWriter.end(); // as a connection does that is closed
            torn.complete(Thread.currentThread());
        }
    }

    private String next() throws InterruptedException {
        return String.valueOf(written.poll(10, SECONDS));
    }

    @Test
    void who_is_here_writes_what_is_little_and_all_of_it_at_once() {
        connectionWriter.open(new Sheet());
        assertThat(connectionWriter.enqueue(new byte[3])).isTrue();
        assertThat(connectionWriter.enqueue(new byte[4])).isTrue();
        connectionWriter.flush();
        assertThat(written).containsExactly("7 by us");
        connectionWriter.end();
    }

    @Test
    void what_is_much_or_in_a_hurry_is_written_by_another() throws InterruptedException {
        connectionWriter.open(new Sheet());
        assertThat(connectionWriter.enqueue(new byte[10_000])).isTrue();
        connectionWriter.flush();
        assertThat(next()).isEqualTo("10000 by pen");
        assertThat(connectionWriter.enqueue(new byte[3])).isTrue();
        connectionWriter.flushLater();
        assertThat(next()).isEqualTo("3 by pen");
        connectionWriter.end();
    }

    @Test
    void what_does_not_fit_is_refused() {
        assertThat(connectionWriter.enqueue(new byte[20_000])).isTrue();
        assertThat(connectionWriter.enqueue(new byte[1])).isFalse();
    }

    @Test
    void it_ends_once_and_nothing_is_written_after() throws InterruptedException {
        connectionWriter.open(new Sheet());
        connectionWriter.enqueue(new byte[3]);
        connectionWriter.end();
        connectionWriter.end();
        assertThat(next()).isEqualTo("3 by pen");
        assertThat(next()).isEqualTo("end");
        connectionWriter.enqueue(new byte[3]);
        connectionWriter.flush();
        assertThat(written).isEmpty();
    }

    /** It would go round for ever: what is torn is closed, and what is closed cannot be ended. */
    @Test
    void one_that_is_torn_is_done_with() throws Exception {
        var sheet = new Sheet() {
            @Override
            public void write(byte[] bytes) throws IOException {
                throw new IOException("torn");
            }

            @Override
            public void finish() throws IOException {
                throw new IOException("torn already");
            }
        };
        connectionWriter.open(sheet);
        connectionWriter.enqueue(new byte[3]);
        connectionWriter.flushLater();
        var writer = sheet.torn.get(10, SECONDS);
        writer.join(10_000);
        assertThat(writer.isAlive()).isFalse();
        connectionWriter.enqueue(new byte[3]);
        connectionWriter.flush();
        assertThat(written).isEmpty();
    }
}
