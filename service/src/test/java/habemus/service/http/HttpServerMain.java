package habemus.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.protocol.NodeId;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.transport.Member;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/** A lock server without data, for {@link FileDescriptorTest}. Prints the port of its HTTP API. */
final class HttpServerMain {

    private HttpServerMain() {}

    public static void main(String[] args) {
        var here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var self = new Member(
                new NodeId(1), new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])));
        var config = LockServerConfig.of(List.of(self), self.node(), Optional.empty())
                .withAddresses(here, here);
        try (var node = LockServerNode.start(config);
                var server = new HttpServer(node)) {
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8)
                    .println(server.address().getPort());
            while (System.in.read() >= 0) {
                // until the test ends
            }
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
    }
}
