package habemus.service.http;

import habemus.protocol.NodeId;
import habemus.service.http.Answers.NodeChange;
import habemus.service.net.Member;
import habemus.service.net.Peer;
import habemus.service.node.Account;
import habemus.service.node.GroupId;
import habemus.service.node.Node;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one client that watches has not been told yet. However slow it is, there is at most one entry for each thing
 * that can change: it is told how that is now, and not all that happened in between.
 */
final class Watch implements Node.Watcher {

    /** What can change: a node, or a group at a node. */
    private record Subject(NodeId node, Optional<GroupId> group) {}

    private final Node node;
    private final Map<Subject, Object> pending = new LinkedHashMap<>();
    private final Map<Subject, Object> told = new HashMap<>();
    private boolean over;

    Watch(Node node) {
        this.node = node;
    }

    @Override
    public synchronized void present(List<Peer> peers) {
        for (Member member : node.config().members()) {
            var id = member.node();
            Optional<Long> life = id.equals(node.self().node())
                    ? Optional.of(node.self().incarnation())
                    : peers.stream()
                            .filter(peer -> peer.node().equals(id))
                            .map(Peer::incarnation)
                            .findFirst();
            if (life.isEmpty()) {
                pending.keySet().removeIf(subject -> subject.node.equals(id));
                told.keySet().removeIf(subject -> subject.node.equals(id) && subject.group.isPresent());
            }
            var state = life.isPresent() ? "up" : "down";
            put(new Subject(id, Optional.empty()), new NodeChange(id.toString(), state, life.orElse(null)));
        }
    }

    @Override
    public synchronized void changed(NodeId at, Account account) {
        put(new Subject(at, Optional.of(account.group())), Survey.change(at, account));
    }

    private void put(Subject subject, Object how) {
        pending.put(subject, how);
        notifyAll();
    }

    /** The next change, nothing if there was none for so long, or if the watch is over. */
    synchronized Optional<Object> next(long millis) throws InterruptedException {
        long until = System.nanoTime() + millis * 1_000_000;
        while (!over) {
            var change = poll();
            if (change != null) {
                return Optional.of(change);
            }
            long left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return Optional.empty();
            }
            wait(left);
        }
        return Optional.empty();
    }

    private @Nullable Object poll() {
        while (!pending.isEmpty()) {
            var first = pending.entrySet().iterator().next();
            pending.remove(first.getKey());
            if (!first.getValue().equals(told.put(first.getKey(), first.getValue()))) {
                return first.getValue();
            }
        }
        return null;
    }

    synchronized boolean isOver() {
        return over;
    }

    synchronized void end() {
        over = true;
        notifyAll();
    }
}
