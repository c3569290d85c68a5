package habemus.service.node;

import habemus.protocol.NodeId;
import habemus.service.disk.Disk;
import habemus.service.net.GroupNet;
import habemus.service.net.Net;
import habemus.service.net.Peer;
import habemus.wire.Malformed;
import habemus.world.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One node of a cluster: its links, the groups that it hosts, and its clients. */
public final class Node implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Node.class);

    private final NodeConfig config;
    private final Peer self;
    private final Net net;
    private final Groups groups;
    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("ticker").factory());
    private final CompletableFuture<Failure> failure = new CompletableFuture<>();
    private final CompletableFuture<Void> gathered = new CompletableFuture<>();
    private final Map<NodeId, Peer> latest = new TreeMap<>(); // life of each peer that was heard of
    private final Map<NodeId, Peer> present = new TreeMap<>();
    private final List<Runnable> early = new ArrayList<>(); // arrived before all were here
    private final Map<Long, Inquiry> inquiries = new ConcurrentHashMap<>();
    private final AtomicLong asked = new AtomicLong();
    private final Counts counts = new Counts();
    private final Watchers watchers = new Watchers();
    private volatile String http = "";
    private boolean begun;

    private Node(NodeConfig config, Function<Peer, Net> network) {
        this.config = config;
        createFolders();
        config.data().ifPresent(Disk::check);
        self = new Peer(config.me(), Incarnation.next(config.data()));
        net = network.apply(self);
        groups = new Groups(config, self, ticker, new Group.Host() {
            @Override
            public void send(NodeId to, Frame frame) {
                Node.this.send(to, frame);
            }

            @Override
            public void failed(GroupId group, RuntimeException why, Object state) {
                fail(new Failure(group, why, state));
            }

            @Override
            public boolean isWatched() {
                return watchers.isWatched();
            }

            @Override
            public void changed(Account account) {
                watchers.changedHere(self.node(), account);
                watchers.followers().forEach(peer -> Node.this.send(peer, new Frame.News(account)));
            }
        });
    }

    /**
     * Starts a node; returns when it has found the others, or has waited for them long enough.
     *
     * @throws habemus.service.disk.Damaged if what it has on disk is not what it wrote
     */
    public static Node start(NodeConfig config) {
        return start(config, self -> new GroupNet(config.name(), config.members(), self, config.secrecy()));
    }

    static Node start(NodeConfig config, Function<Peer, Net> network) {
        var node = new Node(config, network);
        node.gather();
        return node;
    }

    private void createFolders() {
        try {
            for (var folder : List.of(config.data(), config.record())) {
                if (folder.isPresent()) {
                    Files.createDirectories(folder.get());
                }
            }
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private void gather() {
        net.start(new Net.Listener() {
            @Override
            public void arrived(Peer from, byte[] bytes) {
                Node.this.arrived(from, bytes);
            }

            @Override
            public void present(List<Peer> peers) {
                Node.this.changed(peers);
            }
        });
        gathered.completeOnTimeout(null, config.gather().toMillis(), TimeUnit.MILLISECONDS)
                .join();
        synchronized (this) {
            LOG.info(
                    "{} begins, with {} of {} others",
                    self,
                    present.size(),
                    config.members().size() - 1);
            begun = true;
            early.forEach(Runnable::run);
            early.clear();
        }
    }

    private void send(NodeId to, Frame frame) {
        counts.sent(frame);
        net.send(to, frame.toBytes());
    }

    private synchronized void arrived(Peer from, byte[] bytes) {
        if (!begun) {
            early.add(() -> arrived(from, bytes));
            return;
        }
        var known = latest.get(from.node());
        if (known != null && known.isLaterThan(from)) {
            counts.refused();
            return;
        }
        if (!from.equals(present.get(from.node()))) {
            joined(from); // its first words have overtaken the news of it
        }
        try {
            handle(from, Frame.read(bytes));
            counts.received();
        } catch (Malformed garbage) {
            counts.refused();
            LOG.warn("{} refuses a frame of {}: {}", self, from, garbage.getMessage());
        }
    }

    private void handle(Peer from, Frame frame) {
        switch (frame) {
            case Frame.Open(var id, var recipe) -> told(id, recipe);
            case Frame.Carry carry ->
                told(carry.group(), carry.recipe()).receive(from.node(), from.incarnation(), carry);
            case Frame.Ask(var number) ->
                groups.account(all -> send(from.node(), new Frame.Answer(number, report(all))));
            case Frame.Answer(var number, var report) -> {
                var inquiry = inquiries.get(number);
                if (inquiry != null) {
                    inquiry.answered(from.node(), report);
                }
            }
            case Frame.Follow(var wanted) -> {
                watchers.follow(from.node(), wanted);
                groups.forEach(Group::tell);
            }
            case Frame.News(var account) -> watchers.changedAt(from.node(), account);
        }
    }

    /** The group that a peer speaks of; it begins here too if it is new. */
    private Group<?, ?> told(GroupId id, String recipe) {
        var group = groups.find(id).orElseGet(() -> begin(id));
        if (!group.is(recipe)) {
            throw new Malformed(id + " is not '" + recipe + "' here: all nodes need the same algorithm and options");
        }
        return group;
    }

    private synchronized Group<?, ?> begin(GroupId id) {
        var group = groups.begin(id);
        config.members().stream()
                .map(member -> member.node())
                .filter(node -> !node.equals(self.node()) && !present.containsKey(node))
                .forEach(absent -> group.suspect(absent, true));
        return group;
    }

    private synchronized void changed(List<Peer> peers) {
        for (Peer gone : List.copyOf(present.values())) {
            if (peers.stream().noneMatch(peer -> peer.node().equals(gone.node()))) {
                LOG.info("{}: {} is gone", self, gone);
                present.remove(gone.node());
                watchers.follow(gone.node(), false);
                groups.forEach(group -> group.suspect(gone.node(), true));
            }
        }
        peers.forEach(this::joined);
        watchers.present(present());
        if (present.size() == config.members().size() - 1) {
            gathered.complete(null);
        }
    }

    /** A node is there, maybe in a new life: then its old one is over, and it is told of all groups. */
    private void joined(Peer peer) {
        var before = present.get(peer.node());
        var known = latest.get(peer.node());
        if (peer.equals(before) || known != null && known.isLaterThan(peer)) {
            return;
        }
        LOG.info("{}: {} is here", self, peer);
        latest.put(peer.node(), peer);
        present.put(peer.node(), peer);
        watchers.follow(peer.node(), false); // its new life has not asked
        if (watchers.follows()) {
            send(peer.node(), new Frame.Follow(true));
        }
        groups.forEach(group -> {
            if (before != null) {
                group.suspect(peer.node(), true);
            }
            send(peer.node(), group.open());
            group.suspect(peer.node(), false);
        });
    }

    /** The group of this name, which begins everywhere if it is new. */
    private synchronized Group<?, ?> group(Problem problem, String name) {
        var id = new GroupId(problem, name);
        var found = groups.find(id);
        if (found.isPresent()) {
            return found.get();
        }
        var group = begin(id);
        present.keySet().forEach(node -> send(node, group.open()));
        return group;
    }

    /** Stands in line for a lock. */
    public Ticket acquire(String lock, String client) {
        return group(Problem.MUTEX, lock).ask(client);
    }

    /** Stands in line to act as leader, whenever this node leads. */
    public Ticket stand(String election, String client) {
        campaign(election);
        return group(Problem.ELECTION, election).ask(client);
    }

    /** Wants this election to be held, unless somebody leads already. */
    public void campaign(String election) {
        ((ElectionGroup<?, ?>) group(Problem.ELECTION, election)).campaign();
    }

    public void release(String lock, Ticket ticket) {
        group(Problem.MUTEX, lock).giveBack(ticket);
    }

    public void resign(String election, Ticket ticket) {
        group(Problem.ELECTION, election).giveBack(ticket);
    }

    /** What this node knows. */
    public CompletableFuture<List<Account>> accounts() {
        return groups.accounts();
    }

    /** What every node that is there says of its groups; those that do not answer in time are left out. */
    public CompletableFuture<Map<NodeId, Report>> inquire(long millis) {
        long number = asked.incrementAndGet();
        Inquiry inquiry;
        synchronized (this) {
            inquiry = new Inquiry(present.size() + 1);
            inquiries.put(number, inquiry);
            present.keySet().forEach(node -> send(node, new Frame.Ask(number)));
        }
        groups.account(own -> inquiry.answered(self.node(), report(own)));
        return inquiry.within(millis).whenComplete((answers, failed) -> inquiries.remove(number));
    }

    private Report report(List<Account> accounts) {
        return new Report(ProcessHandle.current().pid(), http, accounts);
    }

    /** Who is told of changes, on the threads on which they happen: it must not keep these. */
    public interface Watcher {

        /** These peers are there now. */
        void present(List<Peer> peers);

        void changed(NodeId node, Account account);
    }

    /**
     * Tells of every change, and first how everything is.
     *
     * @param everywhere whether also of changes at the peers
     */
    public synchronized void watch(Watcher watcher, boolean everywhere) {
        watchers.add(watcher, everywhere);
        watcher.present(present());
        groups.forEach(Group::tell);
        if (everywhere) {
            present.keySet().forEach(node -> send(node, new Frame.Follow(true)));
        }
    }

    public synchronized void unwatch(Watcher watcher) {
        boolean followed = watchers.follows();
        watchers.remove(watcher);
        if (followed && !watchers.follows()) {
            present.keySet().forEach(node -> send(node, new Frame.Follow(false)));
        }
    }

    /** Where its clients reach it, for whoever asks. */
    public void reachableAt(String address) {
        http = address;
    }

    public Peer self() {
        return self;
    }

    public NodeConfig config() {
        return config;
    }

    public synchronized List<Peer> present() {
        return List.copyOf(present.values());
    }

    public Counts counts() {
        return counts;
    }

    /** Completed, with why, if the node has stopped by itself. */
    public CompletableFuture<Failure> failure() {
        return failure;
    }

    private void fail(Failure why) {
        LOG.error("{} stops: {}", self, why);
        failure.complete(why);
    }

    @Override
    public void close() {
        groups.close();
        ticker.shutdownNow();
        net.close();
    }
}
