package habemus.service.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Which thread writes to a connection, and until when. */
class ConnectionWriterTest {

    private final ConnectionWriter writer = new ConnectionWriter(20_000);
    private final BlockingQueue<String> written = new LinkedBlockingQueue<>();

    /** Records how many bytes which thread has written. */
    private class RecordingChannel implements ConnectionWriter.Channel {
        final CompletableFuture<Thread> failed = new CompletableFuture<>();

        @Override
        public void write(byte[] bytes) throws IOException {
            written.add(bytes.length + " by "
                    + (Thread.currentThread().getName().equals("client-writer") ? "writer thread" : "caller"));
        }

        @Override
        public void finish() throws IOException {
            written.add("end");
        }

        @Override
        public void onFailure(IOException cause) {
            writer.end(); // as a connection does when it is closed
            failed.complete(Thread.currentThread());
        }
    }

    private String next() throws InterruptedException {
        return String.valueOf(written.poll(10, SECONDS));
    }

    @Test
    void the_calling_thread_writes_a_few_bytes_in_one_write() {
        writer.open(new RecordingChannel());
        assertThat(writer.enqueue(new byte[3])).isTrue();
        assertThat(writer.enqueue(new byte[4])).isTrue();
        writer.flush();
        assertThat(written).containsExactly("7 by caller");
        writer.end();
    }

    @Test
    void the_writer_thread_writes_many_bytes_or_a_later_flush() throws InterruptedException {
        writer.open(new RecordingChannel());
        assertThat(writer.enqueue(new byte[10_000])).isTrue();
        writer.flush();
        assertThat(next()).isEqualTo("10000 by writer thread");
        assertThat(writer.enqueue(new byte[3])).isTrue();
        writer.flushLater();
        assertThat(next()).isEqualTo("3 by writer thread");
        writer.end();
    }

    @Test
    void frames_beyond_the_limit_are_rejected() {
        assertThat(writer.enqueue(new byte[20_000])).isTrue();
        assertThat(writer.enqueue(new byte[1])).isFalse();
    }

    @Test
    void the_output_ends_once_and_nothing_is_written_after() throws InterruptedException {
        writer.open(new RecordingChannel());
        writer.enqueue(new byte[3]);
        writer.end();
        writer.end();
        assertThat(next()).isEqualTo("3 by writer thread");
        assertThat(next()).isEqualTo("end");
        writer.enqueue(new byte[3]);
        writer.flush();
        assertThat(written).isEmpty();
    }

    /** A failed channel is closed, and a closed one cannot be finished: this must not loop. */
    @Test
    void a_failed_channel_ends_the_writer_thread() throws Exception {
        var channel = new RecordingChannel() {
            @Override
            public void write(byte[] bytes) throws IOException {
                throw new IOException("broken pipe");
            }

            @Override
            public void finish() throws IOException {
                throw new IOException("already closed");
            }
        };
        writer.open(channel);
        writer.enqueue(new byte[3]);
        writer.flushLater();
        var thread = channel.failed.get(10, SECONDS);
        thread.join(10_000);
        assertThat(thread.isAlive()).isFalse();
        writer.enqueue(new byte[3]);
        writer.flush();
        assertThat(written).isEmpty();
    }
}
