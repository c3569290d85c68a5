package habemus.client;

import habemus.codec.Codec;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
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
 * A service in this JVM, for tests: nodes with real sockets and the real {@link LockServer}, on a log in memory that commits
 * at once. All of it happens on one thread. What goes over the wire can be lost, and nodes can be cut off.
 */
final class FakeService implements AutoCloseable {

    private static final Codec<ClientFrame.ToService> IN = Codec.of(ClientFrame.ToService.class);
    private static final Codec<ClientFrame.ToClient> OUT = Codec.of(ClientFrame.ToClient.class);

    private final ScheduledExecutorService world = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("fake-service").factory());
    private final List<Node> nodes = new ArrayList<>();
    private final List<Command> commands = new ArrayList<>();
    private final List<ClientFrame.ToService> received = new ArrayList<>();
    private Predicate<ClientFrame.ToClient> lost = parcel -> false;
    private Predicate<Command> uncommitted = command -> false;
    private Duration slowness = Duration.ZERO;
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

    /** On the world's thread, which alone knows anything. */
    private void on(Runnable change) {
        try {
            Future<?> done = world.submit(change);
            done.get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    String[] endpoints() {
        return nodes.stream().map(Node::door).toArray(String[]::new);
    }

    String endpoint(int node) {
        return nodes.get(node).door();
    }

    /** Replies that are lost on their way, from now on. */
    void dropReplies(Predicate<ClientFrame.ToClient> which) {
        on(() -> lost = which);
    }

    /** Commands that the log loses, from now on. */
    void dropProposals(Predicate<Command> which) {
        on(() -> uncommitted = which);
    }

    /** How long the log takes, from now on. */
    void delayCommits(Duration each) {
        on(() -> slowness = each);
    }

    void requireToken(String secret) {
        on(() -> token = secret);
    }

    void setLeader(int node) {
        on(() -> {
            leader = node;
            nodes.forEach(Node::welcomeAll);
        });
    }

    /** Its connections break, and nobody can connect. */
    void crash(int node) {
        on(() -> nodes.get(node).crash());
    }

    void breakConnections() {
        on(() -> nodes.forEach(node -> List.copyOf(node.connections.values()).forEach(Connection::close)));
    }

    /** As a node of the log would: an operator's, or one that ends a session. */
    void commit(Command command) {
        on(() -> commit(List.of(command)));
    }

    /** An operator takes it from whoever holds it now. */
    void revoke(ResourceName resourceName, String reason) {
        var order = new Command.AdminAction.Release(resourceName, table().index());
        commit(new Command.AdminCommand(order, "eve", reason));
    }

    LockTable table() {
        var seen = new LockTable[1];
        on(() -> seen[0] = nodes.getFirst().state.lockTable());
        return seen[0];
    }

    List<Command> log() {
        var seen = new ArrayList<Command>();
        on(() -> seen.addAll(commands));
        return seen;
    }

    /** How many clients speak with that node. */
    int connections(int node) {
        var seen = new int[1];
        on(() -> seen[0] = nodes.get(node).connections.size());
        return seen[0];
    }

    List<ClientFrame.ToService> received() {
        var seen = new ArrayList<ClientFrame.ToService>();
        on(() -> seen.addAll(received));
        return seen;
    }

    @Override
    public void close() {
        on(() -> nodes.forEach(Node::crash));
        world.shutdownNow();
    }

    private void commit(List<Command> proposed) {
        var lasting = proposed.stream().filter(uncommitted.negate()).toList();
        if (!lasting.isEmpty()) {
            commands.addAll(lasting);
            var entry = new Message.Committed(new CommandBatch(System.currentTimeMillis(), lasting));
            nodes.forEach(node -> node.perform(node.lockServer.receive(node.state, LockServer.LOG, entry)));
        }
    }

    private final class Node {
        private final String name;
        private final ServerSocket server;
        private final LockServer lockServer = new LockServer(Duration.ofMillis(20), Duration.ofMillis(20));
        private final Map<NodeId, Connection> connections = new HashMap<>();
        private final Map<Enum<?>, Future<?>> alarms = new HashMap<>();
        private LockServer.State state;

        Node(String name, Optional<SSLContext> tls) {
            this.name = name;
            try {
                var factory = tls.<ServerSocketFactory>map(SSLContext::getServerSocketFactory)
                        .orElseGet(ServerSocketFactory::getDefault);
                server = factory.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        String door() {
            return "localhost:" + server.getLocalPort();
        }

        void start() {
            var begun = lockServer.start(new Neighbourhood(new NodeId(2), List.of(LockServer.LOG)));
            state = begun.state();
            perform(begun);
            perform(lockServer.receive(
                    state, LockServer.LOG, new Message.LeadershipChanged(nodes.indexOf(this) == leader)));
            Thread.ofVirtual().start(this::accept);
        }

        void crash() {
            try {
                server.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            List.copyOf(connections.values()).forEach(Connection::close);
        }

        private void accept() {
            try {
                while (true) {
                    var socket = server.accept();
                    socket.setTcpNoDelay(true);
                    world.execute(() -> new Connection(this, socket).start());
                }
            } catch (IOException closed) {
                // as wanted
            }
        }

        void perform(Step<LockServer.State, Message> step) {
            state = step.state();
            for (var effect : step.effects()) {
                switch (effect) {
                    case Effect.Send<Message>(var to, Message.Propose(var proposed)) -> {
                        var unused = world.schedule(() -> commit(proposed), slowness.toNanos(), TimeUnit.NANOSECONDS);
                    }
                    case Effect.Send<Message>(var to, var reply) ->
                        say(to, new ClientFrame.Reply((Message.ServerReply) reply));
                    case Effect.SetTimer<Message>(var alarm, var after, var most) ->
                        alarms.put(
                                alarm,
                                world.schedule(
                                        () -> perform(lockServer.fireTimer(state, alarm)),
                                        after.toNanos(),
                                        TimeUnit.NANOSECONDS));
                    case Effect.CancelTimer<Message>(var alarm) ->
                        alarms.get(alarm).cancel(false);
                    case Effect<Message> other -> throw new AssertionError(other);
                }
            }
        }

        private void say(NodeId to, ClientFrame.ToClient parcel) {
            var connection = connections.get(to);
            if (connection != null) {
                connection.say(parcel);
            }
        }

        void welcomeAll() {
            List.copyOf(connections.values()).forEach(connection -> connection.say(welcome()));
        }

        /** Who leads is named twice, if it is this one. */
        ClientFrame.Welcome welcome() {
            var all = new ArrayList<>(List.of(door(), nodes.get(leader).door()));
            nodes.stream().map(Node::door).filter(door -> !all.contains(door)).forEach(all::add);
            return new ClientFrame.Welcome(ClientFrame.VERSION, name, all, nodes.size() > 2);
        }

        void take(Connection from, ClientFrame.ToService parcel) {
            received.add(parcel);
            switch (parcel) {
                case ClientFrame.Hello(var version, var secret) -> {
                    if (secret.equals(token)) {
                        from.say(welcome());
                    } else {
                        from.say(new ClientFrame.ConnectionRejected(
                                "wrong-token", "the token is not known", "use the right one"));
                        from.close();
                    }
                }
                case ClientFrame.Request(var clientRequest) ->
                    perform(lockServer.receive(state, from.client, clientRequest));
                case ClientFrame.Describe(var number, var resourceName) ->
                    from.say(new ClientFrame.Description(
                            number, state.lockTable().describe(resourceName)));
                case ClientFrame.ListDeadlocks(var number) ->
                    from.say(new ClientFrame.DeadlockList(
                            number, state.lockTable().deadlocks()));
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
                    var parcel = IN.read(in.readNBytes(in.readInt()));
                    world.execute(() -> node.take(this, parcel));
                }
            } catch (IOException | RuntimeException gone) {
                try {
                    world.execute(this::close);
                } catch (RejectedExecutionException over) {
                    close();
                }
            }
        }

        void say(ClientFrame.ToClient parcel) {
            if (!lost.test(parcel)) {
                try {
                    var bytes = OUT.write(parcel);
                    var out = new DataOutputStream(socket.getOutputStream());
                    out.writeInt(bytes.length);
                    out.write(bytes);
                } catch (IOException gone) {
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
                node.perform(node.lockServer.onDisconnected(node.state, NodeSet.of(client)));
            }
        }
    }
}
