package habemus.check.reduction;

import habemus.check.store.LocalStateTable;

/** Delivers every message that may be delivered at once, so that the search skips the states with it in flight. */
public final class EagerDelivery {

    /** Some messages are forwarded forever; after this number of deliveries the search visits the state as it is. */
    private static final int MAX_DELIVERIES = 64;

    private final LocalStateTable localStates;

    public EagerDelivery(LocalStateTable localStates) {
        this.localStates = localStates;
    }

    /** Gets every state between two deliveries. */
    public interface StateListener {
        /** @param state valid during this call only */
        void onState(int[] state);
    }

    public void deliverAll(int[] state) {
        deliverAll(state, ignored -> {});
    }

    public void deliverAll(int[] state, StateListener stateListener) {
        for (int i = 0; i < MAX_DELIVERIES && deliverNext(state); i++) {
            stateListener.onState(state);
        }
    }

    /** Delivers one message, if one may be delivered eagerly. */
    private boolean deliverNext(int[] state) {
        for (int node = 0; node < state.length - 1; node++) {
            int index = localStates.eagerSuccessor(state[node]);
            if (index >= 0) {
                int[] pairs = localStates.successors(state[node]);
                state[node] = pairs[index + 1];
                localStates.deliver(state, localStates.transition(pairs[index]).outgoing());
                return true;
            }
        }
        return false;
    }
}
