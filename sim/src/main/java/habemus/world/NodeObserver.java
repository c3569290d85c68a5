package habemus.world;

import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.LogView;
import habemus.protocol.Milestone;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.function.Supplier;

/**
 * Derives the observable events of a run from the events and effects of its nodes. Simulator, checker and recorded runs
 * share this description. Each stores the two facts it needs, the application's state and the announced leader, beside
 * the rest of a node.
 */
public abstract class NodeObserver {

    protected abstract AppState appState(NodeId node);

    protected abstract void setAppState(NodeId node, AppState next);

    /** The number of the leader that the node announces; zero if it announces none. */
    protected abstract int leader(NodeId node);

    protected abstract void setLeader(NodeId node, int leader);

    protected abstract void observe(ObservableEvent event);

    /**
     * Call it before the step that handles the event.
     *
     * @param precedingRequests of a request that is observed; called at most once
     */
    public final void beforeStep(NodeId node, Event<?> event, Supplier<NodeSet> precedingRequests) {
        switch (event) {
            case Event.Acquire<?> acquire -> request(node, AppState.WAITING, precedingRequests);
            case Event.Campaign<?> campaign -> request(node, AppState.CANDIDATE, precedingRequests);
            case Event.Release<?> release -> exit(node);
            case Event.Call<?>(var call) -> observe(new ObservableEvent.Called(node, call));
            default -> {}
        }
    }

    /** A candidate that campaigns again makes no further request. */
    private void request(NodeId node, AppState next, Supplier<NodeSet> precedingRequests) {
        if (appState(node) == AppState.IDLE) {
            observe(new ObservableEvent.Requested(node, precedingRequests.get()));
        }
        setAppState(node, next);
    }

    private void exit(NodeId node) {
        if (appState(node) == AppState.HOLDING) {
            setAppState(node, AppState.IDLE);
            observe(new ObservableEvent.Exited(node));
        }
    }

    /** Effects that an application does not see cause no observable event. */
    public final void onEffect(NodeId node, Effect<?> effect) {
        switch (effect) {
            case Effect.Grant<?>(var fence) -> {
                setAppState(node, AppState.HOLDING);
                observe(new ObservableEvent.Entered(node, fence));
            }
            case Effect.Elected<?>(var leader, var term) -> {
                dropLeader(node);
                setLeader(node, leader.number());
                observe(new ObservableEvent.LeaderAnnounced(node, leader, term));
            }
            case Effect.Lost<?>() -> {
                exit(node);
                dropLeader(node);
            }
            case Effect.Apply<?>(var first, var entries) -> observe(new ObservableEvent.Applied(node, first, entries));
            case Effect.Load<?>(var index, var snapshot) ->
                observe(new ObservableEvent.SnapshotLoaded(node, index, snapshot));
            case Effect.Reply<?>(var id, var reply) -> observe(new ObservableEvent.Replied(node, id, reply));
            case Effect.Report<?>(var milestone) -> report(node, milestone);
            case Effect.Suspect<?>(var peer) -> observe(new ObservableEvent.Suspected(node, peer));
            case Effect.Restore<?>(var peer) -> observe(new ObservableEvent.Restored(node, peer));
            default -> {}
        }
    }

    /** A thread is never HOLDING: it leaves its section by itself, and no application makes it release. */
    private void report(NodeId node, Milestone milestone) {
        switch (milestone) {
            case Milestone.Requested() -> request(node, AppState.WAITING, () -> NodeSet.NONE);
            case Milestone.Entered(var limit) -> {
                setAppState(node, AppState.IDLE);
                observe(
                        limit == 1
                                ? new ObservableEvent.Entered(node, 0)
                                : new ObservableEvent.EnteredShared(node, limit));
            }
            case Milestone.Exited() -> observe(new ObservableEvent.Exited(node));
            default -> observe(new ObservableEvent.Reported(node, milestone));
        }
    }

    /** Call it after a step of a replicated log, before its effects are carried out. */
    public final void onLogStep(NodeId node, LogView before, LogView after) {
        if (!after.equals(before)) {
            observe(new ObservableEvent.LogChanged(node, before, after));
        }
    }

    /** Call it after a start of a replicated log, before its effects are carried out. */
    public final void onLogStart(NodeId node, LogView view) {
        observe(new ObservableEvent.LogChanged(node, view, view));
    }

    public final void onCrash(NodeId node) {
        dropLeader(node);
        var before = appState(node);
        setAppState(node, AppState.IDLE);
        observe(new ObservableEvent.Crashed(node, before == AppState.WAITING || before == AppState.CANDIDATE));
    }

    /** Call it before the last step of a node that leaves: its application has stopped. */
    public final void onLeave(NodeId node) {
        exit(node);
        dropLeader(node);
        var before = appState(node);
        setAppState(node, AppState.IDLE);
        observe(new ObservableEvent.Left(node, before == AppState.WAITING || before == AppState.CANDIDATE));
    }

    private void dropLeader(NodeId node) {
        int leader = leader(node);
        if (leader != 0) {
            setLeader(node, 0);
            observe(new ObservableEvent.LeaderDropped(node, new NodeId(leader)));
        }
    }
}
