package habemus.course.servers.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A server in a JVM of its own, controlled through a connection on the loopback interface. It ends when this object is
 * closed, and when this process ends.
 */
public final class ChildServer implements AutoCloseable {

    /** The heap has a fixed size and all its pages, so that resident memory grows only with what is outside of it. */
    private static final List<String> JVM_OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-Xms256m",
            "-Xmx256m",
            "-XX:+AlwaysPreTouch",
            "-XX:SoftRefLRUPolicyMSPerMB=0", // a cache counts as garbage
            "-Xshare:auto",
            "-Xlog:disable",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-PrintWarnings");

    private static final int ACCEPT_INTERVAL_MILLIS = 200;
    private static final int START_ATTEMPTS = 300;
    private static final int ANSWER_TIMEOUT_MILLIS = 60_000;

    private final Process process;
    private final Path output;
    private final Socket control;
    private final BufferedReader answers;
    private final int port;

    private ChildServer(Process process, Path output, Socket control) throws IOException {
        this.process = process;
        this.output = output;
        this.control = control;
        control.setSoTimeout(ANSWER_TIMEOUT_MILLIS);
        control.setTcpNoDelay(true);
        answers = new BufferedReader(new InputStreamReader(control.getInputStream(), StandardCharsets.UTF_8));
        port = Integer.parseInt(readAnswer());
    }

    /**
     * Starts a server and waits until it listens.
     *
     * @param main a class whose main method takes the control port and these arguments, and runs a {@link ControlLoop}
     * @throws IllegalStateException if the server does not start; the message has the end of its output
     */
    public static ChildServer start(Class<?> main, List<String> arguments) {
        try (var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var output = Files.createTempFile("habemus-server", ".log");
            var process = new ProcessBuilder(command(main, listener.getLocalPort(), arguments))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                return new ChildServer(process, output, awaitControl(listener, process, output));
            } catch (IOException | RuntimeException failed) {
                process.destroyForcibly();
                Files.deleteIfExists(output);
                throw failed;
            }
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot start " + main.getSimpleName(), failed);
        }
    }

    private static List<String> command(Class<?> main, int controlPort, List<String> arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.add(Integer.toString(controlPort));
        command.addAll(arguments);
        return command;
    }

    private static Socket awaitControl(ServerSocket listener, Process process, Path output) throws IOException {
        listener.setSoTimeout(ACCEPT_INTERVAL_MILLIS);
        for (int i = 0; i < START_ATTEMPTS && process.isAlive(); i++) {
            try {
                return listener.accept();
            } catch (SocketTimeoutException notYet) {
                // the loop ends when the process does
            }
        }
        var lines = Files.readAllLines(output);
        var tail = lines.subList(Math.max(0, lines.size() - 10), lines.size());
        throw new IllegalStateException("the server process did not start:\n" + String.join("\n", tail));
    }

    /** The port on which the server listens for clients, on the loopback interface. */
    public int port() {
        return port;
    }

    /** Sends a command to the control loop of the server and returns its answer, one line each. */
    public synchronized String ask(String command) {
        try {
            control.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
            return readAnswer();
        } catch (IOException gone) {
            throw new UncheckedIOException("the server process does not answer: " + command, gone);
        }
    }

    private String readAnswer() throws IOException {
        var line = answers.readLine();
        if (line == null) {
            throw new IOException("the server process closed its control connection");
        }
        return line;
    }

    /** Ends the process with SIGKILL: the server cannot save anything. Returns when it is gone. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        kill();
        try {
            control.close();
            Files.deleteIfExists(output);
        } catch (IOException leftBehind) {
            // the system removes temporary files
        }
    }
}
