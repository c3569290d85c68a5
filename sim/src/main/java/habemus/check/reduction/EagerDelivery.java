package habemus.check.reduction;

import habemus.check.store.LocalStateTable;

/** Lets every letter arrive that may as well arrive at once, so that states with it under way need not be met. */
public final class EagerDelivery {

    /** Some letters are passed on for ever; a state that is not settled after so many is met like any other. */
    private static final int MAX_DELIVERIES = 64;

    private final LocalStateTable localStateTable;

    public EagerDelivery(LocalStateTable localStateTable) {
        this.localStateTable = localStateTable;
    }

    /** Somebody who wants to see every state on the way. */
    public interface StateListener {
        /** @param state valid during this call only */
        void onState(int[] state);
    }

    public void deliverAll(int[] state) {
        deliverAll(state, same -> {});
    }

    public void deliverAll(int[] state, StateListener stateListener) {
        for (int i = 0; i < MAX_DELIVERIES && deliverNext(state); i++) {
            stateListener.onState(state);
        }
    }

    /** One letter arrives, if one may. */
    private boolean deliverNext(int[] state) {
        for (int node = 0; node < state.length - 1; node++) {
            int place = localStateTable.eagerSuccessor(state[node]);
            if (place >= 0) {
                int[] run = localStateTable.successors(state[node]);
                state[node] = run[place + 1];
                localStateTable.deliver(
                        state, localStateTable.transition(run[place]).outgoing());
                return true;
            }
        }
        return false;
    }
}
