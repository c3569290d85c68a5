package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.ObservableEvent;
import java.util.function.Consumer;

/** Whom each node names as its leader; every change is seen. */
final class AnnouncedLeaders {

    private final NodeId[] ids;
    private final int[] announced; // by each node; zero if nobody
    private final Consumer<ObservableEvent> observer;

    AnnouncedLeaders(NodeId[] ids, Consumer<ObservableEvent> witness) {
        this.ids = ids;
        this.observer = witness;
        announced = new int[ids.length];
    }

    void announce(int node, NodeId leader, long term) {
        drop(node);
        announced[node] = leader.number();
        observer.accept(new ObservableEvent.LeaderAnnounced(ids[node], leader, term));
    }

    void drop(int node) {
        if (announced[node] != 0) {
            var leader = ids[announced[node]];
            announced[node] = 0;
            observer.accept(new ObservableEvent.LeaderDropped(ids[node], leader));
        }
    }
}
