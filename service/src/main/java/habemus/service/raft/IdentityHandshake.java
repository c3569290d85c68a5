package habemus.service.raft;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.service.raft.ClusterIdentity.KnownMember;
import habemus.service.storage.CorruptFileException;
import habemus.service.storage.Disk;
import habemus.service.transport.Member;
import habemus.service.transport.PeerHandshake;
import habemus.service.transport.PeerIncarnation;
import habemus.service.transport.PeerRejectedException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Decides which nodes may connect, by the identity of the cluster and of their data folders. A node that has lost its
 * data, or runs on an old copy of it, may have forgotten what it has acknowledged. It is refused until it is removed
 * and joins again.
 *
 * <p>Used by the thread of the log only, except for {@link #identity}.
 */
final class IdentityHandshake implements PeerHandshake {

    private static final Codec<Hello> HELLOS = Codec.of(Hello.class);

    private static final EntryId NO_ENTRY = new EntryId(0, 0);

    /** The reasons of a refusal that ends a node begin like this: another attempt would be refused as well. */
    private static final String FINAL = "refused: ";

    private static final String OLD_COPY = " runs on an old copy of its data";

    /**
     * What a node says of itself.
     *
     * @param clusterName the name that the operator chose
     * @param runs of its last starts: those of a copy of the folder differ, since the copy was made
     * @param address where the others reach it, as {@code host:port}
     * @param list the members that it was started with, to form a cluster; empty if it is not forming one
     * @param last the last entry of its log when it was started
     * @param term its term when it was started
     */
    private record Hello(
            String clusterName,
            String clusterId,
            KnownMember sender,
            List<Long> runs,
            String address,
            boolean isJoining,
            List<NodeId> list,
            EntryId last,
            long term) {}

    /** @param run of the member that has the entry on disk */
    private record Acknowledgement(EntryId entry, long run) {}

    /** What the handshake asks of the log. */
    interface Log {
        /** The members, as far as this node knows; none before it has joined. */
        Configuration configuration();

        /** The entry of that configuration, or a later one; entry zero if there is none. */
        EntryId configuredAt();

        /** Whether this node knows where to reach another one. */
        boolean hasAddress(NodeId node);

        /** A node that wants to join is connected, or a member whose address is in no applied entry. */
        void onVisitor(Member visitor);

        /** The identity of the cluster is about to be saved. Creates the files of the log, if there are none. */
        void createFiles();

        /** The identity of the cluster is known now. */
        void onFormed();
    }

    private final ReplicatedLogConfig config;
    private final Disk disk;
    private final Log log;
    private final Map<NodeId, KnownMember> connected = new TreeMap<>(); // also nodes that are no members
    private final Map<NodeId, Acknowledgement> acknowledged = new TreeMap<>(); // the last one, by member
    private volatile ClusterIdentity identity; // other threads only read it
    private EntryId lastAtStart = NO_ENTRY;
    private long termAtStart;
    private NodeSet present = NodeSet.NONE;
    private NodeSet joining = NodeSet.NONE; // that wanted to join when they connected, and are no members yet

    /**
     * @throws IllegalStateException if the folder is empty and the mode does not allow that
     * @throws CorruptFileException if files are missing
     */
    IdentityHandshake(ReplicatedLogConfig config, Disk disk, RandomGenerator random, Log log) {
        this.config = config;
        this.disk = disk;
        this.log = log;
        identity = ClusterIdentity.read(disk)
                .orElseGet(() -> ClusterIdentity.unused("", config.self(), random.nextLong()));
        if (!identity.isFormed() && config.mode() == StartMode.EXISTING) {
            throw new IllegalStateException("data folder is empty: " + disk
                    + "\nhint: --bootstrap forms a new cluster, --join joins one that exists");
        }
        if (!identity.node().equals(config.self())) {
            throw new IllegalStateException(
                    "data folder belongs to " + identity.node() + ", not to " + config.self() + ": " + disk);
        }
        if (identity.isFormed() && !RaftStorage.hasFiles(disk)) {
            throw new CorruptFileException("the files of the log are missing: " + disk
                    + "\nhint: remove the node, and let it join again with an empty folder and --join");
        }
        identity = identity.withStart(random.nextLong());
        identity.write(disk);
    }

    /** May be called by any thread. */
    ClusterIdentity identity() {
        return identity;
    }

    /** Whether this node wanted to join when it connected, and has not become a member since. */
    boolean isJoining(NodeId node) {
        return joining.contains(node);
    }

    void setStart(EntryId last, long term) {
        lastAtStart = last;
        termAtStart = term;
    }

    @Override
    public byte[] hello() {
        boolean isBootstrapping = !identity.isFormed() && config.mode() == StartMode.BOOTSTRAP;
        return HELLOS.write(new Hello(
                config.cluster(),
                identity.clusterId(),
                new KnownMember(
                        identity.node(),
                        identity.memberId(),
                        identity.starts(),
                        identity.runs().getLast(),
                        memberSince()),
                identity.runs(),
                config.selfMember().addressText(),
                isJoining(),
                isBootstrapping ? list() : List.of(),
                lastAtStart,
                termAtStart));
    }

    private EntryId memberSince() {
        return log.configuration().members().contains(config.self()) ? log.configuredAt() : NO_ENTRY;
    }

    /** Until this node knows the members, it may be none of them. */
    private boolean isJoining() {
        return config.mode() == StartMode.JOIN && log.configuration().members().isEmpty();
    }

    private List<NodeId> list() {
        return config.members().stream().map(member -> member.node()).sorted().toList();
    }

    @Override
    public PeerIncarnation accept(byte[] bytes) {
        Hello hello;
        try {
            hello = HELLOS.read(bytes);
        } catch (MalformedInputException malformed) {
            throw new PeerRejectedException("not a node of this version: " + malformed.getMessage());
        }
        var sender = hello.sender();
        if (!hello.clusterName().equals(config.cluster())) {
            throw rejected("the cluster here is '" + config.cluster() + "', not '" + hello.clusterName() + "'");
        }
        if (sender.node().equals(config.self())) {
            throw rejected("another node is " + sender.node() + " too");
        }
        if (identity.isFormed()) {
            acceptAsMember(hello);
        } else {
            acceptBeforeFormed(hello);
        }
        connected.put(sender.node(), sender);
        joining = hello.isJoining() ? joining.with(sender.node()) : joining.without(sender.node());
        if (hello.isJoining() || !log.hasAddress(sender.node())) {
            log.onVisitor(new Member(sender.node(), Member.parseAddress(hello.address(), hello.address())));
        }
        return new PeerIncarnation(sender.node(), sender.starts());
    }

    private void acceptAsMember(Hello hello) {
        var sender = hello.sender();
        boolean isMember = log.configuration().members().contains(sender.node());
        boolean isNew = hello.clusterId().isEmpty();
        if (!isNew && !hello.clusterId().equals(identity.clusterId())) {
            throw rejected(
                    sender.node() + " belongs to cluster " + hello.clusterId() + ", not to " + identity.clusterId());
        }
        boolean isMemberLater = sender.since().compareTo(log.configuredAt()) > 0; // this node lags
        if (!isMember
                && !hello.isJoining()
                && !isMemberLater
                && !log.configuration().members().isEmpty()) {
            throw rejected(sender.node() + " is not a member of cluster " + identity.clusterId()
                    + " (start it with an empty folder and --join, then 'habemus members add')");
        }
        if (isMember) {
            acceptKnown(hello);
        }
    }

    private void acceptKnown(Hello hello) {
        var sender = hello.sender();
        var before = identity.find(sender.node());
        if (before.isPresent() && before.get().memberId() != sender.memberId()) {
            acceptOtherData(sender, before.get());
            return;
        }
        if (before.isEmpty() && hello.isJoining() && hasAcknowledgedInOtherRun(sender)) {
            throw rejected(sender.node() + " is a member already, with other data (remove it first)");
        }
        long starts = before.map(KnownMember::starts).orElse(0L);
        boolean isOtherRun = before.isPresent() && !isContinued(before.get(), hello);
        if (sender.starts() < starts || isOtherRun || isForgetful(hello)) {
            throw rejected(sender.node() + OLD_COPY
                    + " (remove it with 'habemus members remove', then let it join with --join)");
        }
        if (before.isEmpty()) {
            save(identity.with(sender.withSince(log.configuredAt())));
        } else if (sender.starts() > starts) {
            save(identity.with(sender.withSince(before.get().since())));
        }
    }

    private boolean hasAcknowledgedInOtherRun(KnownMember sender) {
        var last = acknowledged.get(sender.node());
        return last != null && last.run() != sender.run();
    }

    /** Whether the log lacks an entry from its start. The leader of a later term may have removed it. */
    private boolean isForgetful(Hello hello) {
        var last = acknowledged.get(hello.sender().node());
        return last != null
                && hasAcknowledgedInOtherRun(hello.sender())
                && hello.last().compareTo(last.entry()) < 0
                && hello.term() <= last.entry().term();
    }

    /** Whether the start that this node remembers is among those of the folder, as far as the sender knows. */
    private static boolean isContinued(KnownMember before, Hello hello) {
        long position = hello.runs().size() - 1 - (hello.sender().starts() - before.starts());
        return position < 0 || position >= hello.runs().size() || hello.runs().get((int) position) == before.run();
    }

    /**
     * The member was removed and has joined again, while this node was down or lagged. The proof is a later
     * configuration, which only a leader can have given to it.
     */
    private void acceptOtherData(KnownMember sender, KnownMember before) {
        if (sender.since().compareTo(before.since()) <= 0) {
            throw rejected(sender.node() + " has lost its data"
                    + " (remove it with 'habemus members remove', then let it join with --join)");
        }
        save(identity.with(sender));
    }

    private void acceptBeforeFormed(Hello hello) {
        if (!hello.clusterId().isEmpty()) {
            form(hello.clusterId());
        } else if (hello.isJoining() != (config.mode() == StartMode.JOIN)
                || !hello.isJoining() && !hello.list().equals(list())) {
            throw rejected("the members of the new cluster are " + list() + " here, but "
                    + (hello.isJoining() ? "--join" : hello.list().toString()) + " at "
                    + hello.sender().node());
        }
    }

    /** The first node of the list forms the cluster when all others are there, and none of them has data. */
    boolean mayForm(NodeSet present) {
        var list = list();
        return !identity.isFormed()
                && config.mode() == StartMode.BOOTSTRAP
                && list.getFirst().equals(config.self())
                && present.with(config.self()).equals(NodeSet.of(list));
    }

    /** This node is a member of this cluster from now on. The nodes that are connected are members too. */
    void form(String clusterId) {
        if (identity.isFormed()) {
            return;
        }
        log.createFiles(); // first, so that a member without these files has lost them
        var next = identity.inCluster(clusterId);
        if (config.mode() == StartMode.BOOTSTRAP) {
            for (var member : connected.values()) {
                next = next.with(member);
            }
        }
        save(next);
        log.onFormed();
    }

    /** The addresses and data folders that a new cluster begins with, at the node that forms it. */
    AddressBook firstAddresses() {
        var book = new AddressBook(List.of());
        for (var member : config.members()) {
            book = book.with(AddressBook.Address.of(member, memberId(member.node())));
        }
        return book;
    }

    /** The random number of the data folder of this node, or of one that is connected. */
    long memberId(NodeId node) {
        if (node.equals(config.self())) {
            return identity.memberId();
        }
        var there = connected.get(node);
        return there == null ? AddressBook.UNKNOWN_FOLDER : there.memberId();
    }

    /** The connected members that run on other data folders than the log says, or than this node remembers. */
    NodeSet strangers() {
        var strangers = NodeSet.NONE;
        for (var known : identity.members()) {
            boolean isStranger = present.contains(known.node()) && memberId(known.node()) != known.memberId();
            strangers = isStranger ? strangers.with(known.node()) : strangers;
        }
        return strangers;
    }

    /**
     * Forgets the data folders of members that were removed, and remembers those of new members.
     *
     * @param addresses as of the applied entries
     */
    void onMembersChanged(NodeSet members, AddressBook addresses) {
        if (members.isEmpty()) {
            return;
        }
        acknowledged.keySet().retainAll(members.toList());
        joining = joining.without(members);
        var next = identity;
        for (var known : identity.members()) {
            next = members.contains(known.node()) ? next : next.without(known.node());
        }
        for (var address : addresses.retain(members).members()) {
            next = withFolder(next, address);
        }
        saveWithNewMembers(next, members);
    }

    /** Remembers the data folder that the log names, unless this node has met a later one. */
    private ClusterIdentity withFolder(ClusterIdentity known, AddressBook.Address address) {
        boolean isNamed = address.memberId() != AddressBook.UNKNOWN_FOLDER
                && !address.node().equals(config.self());
        boolean isKnown = known.find(address.node())
                .filter(before -> before.memberId() == address.memberId()
                        || before.since().compareTo(address.since()) >= 0)
                .isPresent();
        return isNamed && !isKnown
                ? known.with(new KnownMember(address.node(), address.memberId(), 0, 0, address.since()))
                : known;
    }

    /** These nodes are connected now, and no others. */
    void onPresent(NodeSet nodes) {
        present = nodes;
        saveWithNewMembers(identity, log.configuration().members());
    }

    /** A member that is not connected may return with another folder. */
    private void saveWithNewMembers(ClusterIdentity known, NodeSet members) {
        var next = known;
        for (var there : connected.values()) {
            boolean isNew = present.intersection(members).contains(there.node())
                    && next.find(there.node()).isEmpty();
            next = isNew ? next.with(there.withSince(log.configuredAt())) : next;
        }
        if (!next.equals(identity)) {
            save(next);
        }
    }

    /** A member has this entry on disk. A later leader may have replaced it, by an entry of a later term. */
    void onAcknowledged(NodeId member, EntryId entry) {
        var there = connected.get(member);
        var before = acknowledged.get(member);
        if (before == null || entry.compareTo(before.entry()) > 0) {
            acknowledged.put(member, new Acknowledgement(entry, there == null ? 0 : there.run()));
        }
    }

    private void save(ClusterIdentity next) {
        next.write(disk);
        for (var before : identity.members()) {
            var after = next.find(before.node());
            if (after.isEmpty() || after.get().memberId() != before.memberId()) {
                acknowledged.remove(before.node()); // another folder owes nothing of it
            }
        }
        identity = next;
    }

    private static PeerRejectedException rejected(String reason) {
        return new PeerRejectedException(FINAL + reason);
    }

    /** Whether the node that was refused for this reason must stop, unless the peer lags. */
    static boolean isFinal(String reason) {
        return reason.startsWith("the peer says: " + FINAL);
    }

    /**
     * Whether the peer has met a later start of the same data folder. Then the refused node must stop at once, even if
     * others accept it: they may have joined since, and cannot know.
     */
    static boolean provesOldCopy(String reason) {
        return isFinal(reason) && reason.contains(OLD_COPY);
    }
}
