package habemus.harness.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A connection to the {@link GuardedResource}. */
public final class ResourceClient implements AutoCloseable {

    private final String client;
    private final Socket socket;
    private final BufferedReader answers;

    public ResourceClient(InetSocketAddress resource, String client) throws IOException {
        this.client = client;
        socket = new Socket(resource.getAddress(), resource.getPort());
        socket.setTcpNoDelay(true);
        answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
    }

    /** Returns whether the write was accepted. */
    public synchronized boolean write(String name, long fence) throws IOException {
        socket.getOutputStream().write((name + " " + fence + " " + client + "\n").getBytes(UTF_8));
        var answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the resource has closed the connection");
        }
        return answer.equals(GuardedResource.ACCEPTED);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
