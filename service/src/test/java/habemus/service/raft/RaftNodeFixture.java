package habemus.service.raft;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.protocols.raft.AppendResult;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.LogEntry;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.raft.StateMachine;
import org.jgroups.stack.Protocol;
import org.jgroups.util.ExtendedUUID;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/** Raft of node n1 of three, with its files and without a network. Records the messages that it sends. */
final class RaftNodeFixture implements AutoCloseable {

    static final Address N1 = address(1);
    static final Address N2 = address(2);
    static final Address N3 = address(3);

    static final List<Member> MEMBERS = IntStream.rangeClosed(1, 3)
            .mapToObj(i -> new Member(new NodeId(i), new InetSocketAddress(InetAddress.getLoopbackAddress(), 7600 + i)))
            .toList();

    private static final long ONE_HOUR_MILLIS = 3_600_000;

    final ClusterConfiguration clusterConfiguration = new ClusterConfiguration(MEMBERS);
    final RaftStorage storage;
    final CorrectedRaft raft;
    final List<Message> sent = new CopyOnWriteArrayList<>();
    final List<String> applied = new CopyOnWriteArrayList<>();
    final List<Throwable> failures = new CopyOnWriteArrayList<>();
    final List<String> restored = new CopyOnWriteArrayList<>();

    final AtomicLong nanos = new AtomicLong(); // its clock

    RaftNodeFixture(Path folder) throws Exception {
        storage = new RaftStorage(folder, clusterConfiguration).open();
        var syncBeforeSend = new SyncBeforeSend();
        var watcher = new RaftListener() {
            @Override
            public void onLeaderChanged(@Nullable Address leader, boolean self, long term) {}

            @Override
            public void onIdle() {}

            @Override
            public void onFailure(Throwable why) {
                failures.add(why);
            }
        };
        raft = new CorrectedRaft(new NodeId(1), storage, syncBeforeSend, watcher, nanos::get);
        raft.stateMachine(new Machine()).resendInterval(ONE_HOUR_MILLIS);
        raft.members(MEMBERS);
        syncBeforeSend.setDownProtocol(new MessageRecorder(sent));
        raft.setDownProtocol(syncBeforeSend);
        raft.setAddress(N1);
        raft.init();
        raft.start();
        raft.handleView(view(1, N1, N2, N3));
        syncBeforeSend.setUpProtocol(new MessageRecorder(sent));
        syncBeforeSend.setAddress(N1);
        syncBeforeSend.up(new Event(Event.VIEW_CHANGE, view(1, N1, N2, N3)));
    }

    /** Records messages in place of the network. */
    static final class MessageRecorder extends Protocol {
        private final List<Message> passed;

        MessageRecorder(List<Message> passed) {
            this.passed = passed;
        }

        @Override
        public Object down(Message message) {
            passed.add(message);
            return message;
        }

        @Override
        public Object up(Message message) {
            passed.add(message);
            return message;
        }

        @Override
        public Object up(Event event) {
            return event;
        }
    }

    private final class Machine implements StateMachine {
        @Override
        public byte[] apply(byte[] data, int offset, int length, boolean serialize) {
            applied.add(raft.applying() + ":" + length);
            return new byte[0];
        }

        @Override
        public void writeContentTo(DataOutput out) throws IOException {
            out.writeUTF("state");
        }

        @Override
        public void readContentFrom(DataInput in) throws IOException {
            restored.add(in.readUTF());
        }
    }

    private static Address address(int node) {
        return ExtendedUUID.randomUUID("n" + node).put(RAFT.raft_id_key, Util.stringToBytes("n" + node));
    }

    static View view(long number, Address... members) {
        return View.create(members[0], number, members);
    }

    /** Entries of these terms. The length of an entry is its term. */
    static LogEntries entries(long... terms) {
        var entries = new LogEntries();
        for (long term : terms) {
            entries.add(new LogEntry(term, new byte[(int) term]));
        }
        return entries;
    }

    /** Handles an AppendEntries request of a leader. */
    AppendResult receiveAppend(Address leader, long before, long termBefore, long commit, long... terms) {
        var entries = terms.length == 0 ? null : entries(terms);
        return raft.impl()
                .handleAppendEntriesRequest(
                        entries, leader, before, termBefore, terms.length == 0 ? 0 : terms[0], commit);
    }

    /** Makes n2 the leader. */
    RaftNodeFixture followingN2(long term) {
        raft.setLeaderAndTerm(N2, term);
        return this;
    }

    RaftNodeFixture leading(long term) {
        raft.setLeaderAndTerm(N1, term);
        return this;
    }

    /** Handles the acknowledgement of a follower. */
    void acknowledge(Address who, long index) {
        raft.impl()
                .handleAppendEntriesResponse(who, raft.currentTerm(), new AppendResult(AppendResult.Result.OK, index));
    }

    /** The entries of each message to this member. */
    List<LogEntries> sentTo(Address who) {
        return sent.stream()
                .filter(message -> who.equals(message.dest()) && message.getObject() instanceof LogEntries)
                .map(message -> message.<LogEntries>getObject())
                .toList();
    }

    /** The terms of all entries. */
    List<Long> terms() {
        var terms = new ArrayList<Long>();
        storage.forEach((entry, index) -> terms.add(entry.term()));
        return terms;
    }

    @Override
    public void close() throws IOException {
        raft.stop();
        storage.shut();
    }
}
