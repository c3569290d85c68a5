package habemus.client;

import habemus.codec.Codec;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Quotas;
import habemus.lockservice.ResourceName;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.LockServer;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import habemus.protocol.Effect;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;

/**
 * A service for tests in this JVM: nodes with real sockets and the real {@link LockServer}, on a log in memory that
 * commits at once. One thread owns all state. Tests can drop frames and commands, and crash nodes.
 */
final class FakeService implements AutoCloseable {

    private static final Codec<ClientFrame.ToService> IN = Codec.of(ClientFrame.ToService.class);
    private static final Codec<ClientFrame.ToClient> OUT = Codec.of(ClientFrame.ToClient.class);

    private final ScheduledExecutorService serviceThread = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("fake-service").factory());
    private final List<Node> nodes = new ArrayList<>();
    private final List<Command> commands = new ArrayList<>();
    private final List<ClientFrame.ToService> received = new ArrayList<>();
    private Predicate<ClientFrame.ToClient> droppedReply = frame -> false;
    private Predicate<Command> droppedCommand = command -> false;
    private Duration commitDelay = Duration.ZERO;
    private String token = "";
    private int leader;
    private int lastClient = 100;

    FakeService(int size) {
        this(size, Optional.empty());
    }

    FakeService(int size, Optional<SSLContext> tls) {
        for (int i = 0; i < size; i++) {
            nodes.add(new Node("n" + (i + 1), tls));
        }
        on(() -> nodes.forEach(Node::start));
    }

    /** Runs a change on the service thread, which owns all state. */
    private void on(Runnable change) {
        try {
            Future<?> done = serviceThread.submit(change);
            done.get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    String[] endpoints() {
        return nodes.stream().map(Node::endpoint).toArray(String[]::new);
    }

    String endpoint(int node) {
        return nodes.get(node).endpoint();
    }

    /** Drops these replies from now on. */
    void dropReplies(Predicate<ClientFrame.ToClient> which) {
        on(() -> droppedReply = which);
    }

    /** Drops these proposals from now on. */
    void dropProposals(Predicate<Command> which) {
        on(() -> droppedCommand = which);
    }

    /** Delays every commit from now on. */
    void delayCommits(Duration delay) {
        on(() -> commitDelay = delay);
    }

    void requireToken(String secret) {
        on(() -> token = secret);
    }

    void setClusterId(int node, String id) {
        on(() -> nodes.get(node).clusterId = id);
    }

    void setLeader(int node) {
        on(() -> {
            leader = node;
            nodes.forEach(Node::welcomeAll);
        });
    }

    /** Closes all connections and the listener of a node. */
    void crash(int node) {
        on(() -> nodes.get(node).crash());
    }

    void breakConnections() {
        on(() -> nodes.forEach(node -> List.copyOf(node.connections.values()).forEach(Connection::close)));
    }

    /** Commits a command that no client has submitted. */
    void commit(Command command) {
        on(() -> commit(List.of(command)));
    }

    /** An operator revokes the current holds. */
    void revoke(ResourceName name, String reason) {
        var order = new Command.AdminAction.Release(name, table().index());
        commit(new Command.AdminCommand(order, "eve", "host:1", reason));
    }

    LockTable table() {
        var result = new LockTable[1];
        on(() -> result[0] = nodes.getFirst().state.table());
        return result[0];
    }

    List<Command> log() {
        var result = new ArrayList<Command>();
        on(() -> result.addAll(commands));
        return result;
    }

    /** {@return the number of clients connected to a node} */
    int connections(int node) {
        var result = new int[1];
        on(() -> result[0] = nodes.get(node).connections.size());
        return result[0];
    }

    List<ClientFrame.ToService> received() {
        var result = new ArrayList<ClientFrame.ToService>();
        on(() -> result.addAll(received));
        return result;
    }

    @Override
    public void close() {
        on(() -> nodes.forEach(Node::crash));
        serviceThread.shutdownNow();
    }

    private void commit(List<Command> proposed) {
        var committed = proposed.stream().filter(droppedCommand.negate()).toList();
        if (!committed.isEmpty()) {
            commands.addAll(committed);
            var entry = new Message.Committed(new CommandBatch(System.currentTimeMillis(), committed));
            nodes.forEach(node -> node.execute(node.server.receive(node.state, LockServer.LOG, entry)));
        }
    }

    private final class Node {
        private String clusterId = "c1";
        private final String name;
        private final ServerSocket listener;
        private final LockServer server =
                new LockServer(Duration.ofMillis(20), Duration.ofMillis(20), Quotas.UNLIMITED);
        private final Map<NodeId, Connection> connections = new HashMap<>();
        private final Map<Enum<?>, Future<?>> timers = new HashMap<>();
        private LockServer.State state;

        Node(String name, Optional<SSLContext> tls) {
            this.name = name;
            try {
                var factory = tls.<ServerSocketFactory>map(SSLContext::getServerSocketFactory)
                        .orElseGet(ServerSocketFactory::getDefault);
                listener = factory.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String endpoint() {
            return "localhost:" + listener.getLocalPort();
        }

        void start() {
            var started = server.start(new Neighbourhood(new NodeId(2), List.of(LockServer.LOG)));
            state = started.state();
            execute(started);
            execute(server.receive(
                    state, LockServer.LOG, new Message.LeadershipChanged(nodes.indexOf(this) == leader)));
            Thread.ofVirtual().start(this::accept);
        }

        void crash() {
            try {
                listener.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            List.copyOf(connections.values()).forEach(Connection::close);
        }

        private void accept() {
            try {
                while (true) {
                    var socket = listener.accept();
                    socket.setTcpNoDelay(true);
                    serviceThread.execute(() -> new Connection(this, socket).start());
                }
            } catch (IOException e) {
                // crashed
            }
        }

        void execute(Step<LockServer.State, Message> step) {
            state = step.state();
            for (var effect : step.effects()) {
                switch (effect) {
                    case Effect.Send<Message>(var to, Message.Propose(var proposed)) -> {
                        var unused = serviceThread.schedule(
                                () -> commit(proposed), commitDelay.toNanos(), TimeUnit.NANOSECONDS);
                    }
                    case Effect.Send<Message>(var to, var reply) ->
                        send(to, new ClientFrame.Reply((Message.ServerReply) reply));
                    case Effect.SetTimer<Message>(var timer, var after, var most) ->
                        timers.put(
                                timer,
                                serviceThread.schedule(
                                        () -> execute(server.fireTimer(state, timer)),
                                        after.toNanos(),
                                        TimeUnit.NANOSECONDS));
                    case Effect.CancelTimer<Message>(var timer) ->
                        timers.get(timer).cancel(false);
                    case Effect<Message> other -> throw new AssertionError(other);
                }
            }
        }

        private void send(NodeId to, ClientFrame.ToClient frame) {
            var connection = connections.get(to);
            if (connection != null) {
                connection.send(frame);
            }
        }

        void welcomeAll() {
            List.copyOf(connections.values()).forEach(connection -> connection.send(welcome()));
        }

        /** Names the leader second, even if it is this node. */
        ClientFrame.Welcome welcome() {
            var all = new ArrayList<>(List.of(endpoint(), nodes.get(leader).endpoint()));
            nodes.stream()
                    .map(Node::endpoint)
                    .filter(endpoint -> !all.contains(endpoint))
                    .forEach(all::add);
            return new ClientFrame.Welcome(ClientFrame.VERSION, clusterId, name, all, nodes.size() > 2);
        }

        void handle(Connection from, ClientFrame.ToService frame) {
            received.add(frame);
            switch (frame) {
                case ClientFrame.Hello(var version, var secret, var cluster) -> {
                    if (secret.equals(token)) {
                        from.send(welcome());
                    } else {
                        from.send(new ClientFrame.ConnectionRejected(
                                "wrong-token", "the token is not known", "use the right one"));
                        from.close();
                    }
                }
                case ClientFrame.Request(var clientRequest) ->
                    execute(server.receive(state, from.client, clientRequest));
                case ClientFrame.Describe(var number, var name) ->
                    from.send(new ClientFrame.Description(number, state.table().describe(name)));
                case ClientFrame.ListDeadlocks(var number) ->
                    from.send(new ClientFrame.DeadlockList(number, state.table().deadlocks()));
            }
        }
    }

    private final class Connection {
        private final Node node;
        private final Socket socket;
        private final NodeId client = new NodeId(++lastClient);

        Connection(Node node, Socket socket) {
            this.node = node;
            this.socket = socket;
        }

        void start() {
            node.connections.put(client, this);
            Thread.ofVirtual().start(this::read);
        }

        private void read() {
            try {
                var in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
                while (true) {
                    var frame = IN.read(in.readNBytes(in.readInt()));
                    serviceThread.execute(() -> node.handle(this, frame));
                }
            } catch (IOException | RuntimeException e) {
                try {
                    serviceThread.execute(this::close);
                } catch (RejectedExecutionException stopped) {
                    close();
                }
            }
        }

        void send(ClientFrame.ToClient frame) {
            if (!droppedReply.test(frame)) {
                try {
                    var bytes = OUT.write(frame);
                    var out = new DataOutputStream(socket.getOutputStream());
                    out.writeInt(bytes.length);
                    out.write(bytes);
                } catch (IOException e) {
                    close();
                }
            }
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            if (node.connections.remove(client) != null) {
                node.execute(node.server.onDisconnected(node.state, NodeSet.of(client)));
            }
        }
    }
}
