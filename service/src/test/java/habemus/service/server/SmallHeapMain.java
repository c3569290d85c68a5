package habemus.service.server;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A node with a small heap, which a client of the same process fills with locks until a quota refuses the next one. */
final class SmallHeapMain {

    private static final int WINDOW = 500; // requests without a reply
    private static final int MAX_NAMES = 1_000_000;
    private static final ClientInfo CLIENT = new ClientInfo("filler", "here", 1);

    private final LinkedBlockingQueue<Message.ServerReply> replies = new LinkedBlockingQueue<>();
    private final ClientConnection connection;

    private SmallHeapMain(LockServerNode node) {
        connection = node.loop().connect(Principal.ANONYMOUS, replies::addAll).orElseThrow();
    }

    /** @param args the data folder, the port of the node, and the file for the result */
    public static void main(String[] args) throws IOException, InterruptedException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1]));
        var self = new Member(new NodeId(1), address);
        var free = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var config = LockServerConfig.of(List.of(self), self.node(), Optional.of(Path.of(args[0])))
                .withAddresses(free, free);
        config = config.withLimits(config.limits().withAcquiresPerSession(MAX_NAMES));
        try (var node = LockServerNode.start(config)) {
            Files.writeString(Path.of(args[2]), new SmallHeapMain(node).fill(node.loop()));
        }
    }

    private String fill(LockServerLoop loop) throws InterruptedException {
        send(new Message.OpenSession(System.nanoTime(), CLIENT, Duration.ofMinutes(5)));
        var opened = replies.poll(30, TimeUnit.SECONDS);
        int before = loop.table().resources().size();
        if (opened instanceof Message.SessionRefused(var nonce, var reason)) {
            return "found=" + before + " refused=" + reason;
        }
        long session = ((Message.SessionOpened) opened).session();
        int sent = 0;
        for (int answered = 0; answered < MAX_NAMES; answered++) {
            while (sent < answered + WINDOW) {
                sent++;
                var share = ResourceShare.exclusive("a lock with a name of some length " + before + "/" + sent);
                send(new Message.Submit(session, sent, answered, Operation.Acquire.of(share)));
            }
            var reply = replies.poll(30, TimeUnit.SECONDS);
            if (reply instanceof Message.Result(var of, var number, OperationResult.Rejected(var reason))) {
                return "found=" + before + " names=" + loop.table().resources().size() + " refused=" + reason;
            }
        }
        throw new IllegalStateException("nothing was refused");
    }

    private void send(Message.ClientRequest request) {
        Optional<ClientFrame.ConnectionRejected> rejected = connection.submit(request);
        if (rejected.isPresent()) {
            throw new IllegalStateException(rejected.get().message());
        }
    }
}
