package habemus.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.service.algorithm.TestClusters;
import habemus.service.algorithm.TestJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node whose process runs out of file descriptors. */
@Tag("slow")
class FileDescriptorTest {

    private static final int DESCRIPTORS = 120;

    @Test
    @Timeout(60)
    void a_node_without_a_free_file_descriptor_accepts_again_when_there_is_one() throws Exception {
        var peerPort = TestClusters.members(1).getFirst().address().getPort();
        var command = new ArrayList<>(List.of("bash", "-c", "ulimit -n " + DESCRIPTORS + "; exec \"$@\"", "bash"));
        command.addAll(TestJvm.command(HttpServerMain.class.getName(), "" + peerPort));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var sockets = new ArrayList<Socket>();
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            int port = Integer.parseInt(out.readLine());
            assertThat(isHealthy(port)).isTrue();
            for (int i = 0; i < 2 * DESCRIPTORS; i++) {
                sockets.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            assertThat(isHealthy(port)).as("while all descriptors are in use").isFalse();
            for (var socket : sockets) {
                socket.close();
            }
            while (!isHealthy(port)) {
                LockSupport.parkNanos(50_000_000);
            }
            assertThat(process.isAlive()).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    private static boolean isHealthy(int port) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write("GET /health HTTP/1.0\r\n\r\n".getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8).startsWith("HTTP/1.0 200");
        } catch (IOException notNow) {
            return false;
        }
    }
}
