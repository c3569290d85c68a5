package habemus.course.servers.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** The side of a {@link ChildServer} in the child process: reports the server's port, then answers commands. */
public final class ControlLoop {

    private ControlLoop() {}

    /**
     * Answers the commands of the parent until the parent closes the connection or ends.
     *
     * @param controlPort where the parent listens
     * @param serverPort where this process listens for clients
     * @param commands turns a command into its answer, one line each
     */
    public static void run(int controlPort, int serverPort, UnaryOperator<String> commands) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), controlPort);
                var lines =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            socket.setTcpNoDelay(true);
            write(socket, Integer.toString(serverPort));
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                write(socket, commands.apply(line));
            }
        } catch (IOException parentGone) {
            // the process ends with its parent
        }
    }

    private static void write(Socket socket, String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
