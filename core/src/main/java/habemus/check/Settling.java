package habemus.check;

/** Lets every letter arrive that may as well arrive at once, so that states with it under way need not be met. */
final class Settling {

    /** Some letters are passed on for ever; a state that is not settled after so many is met like any other. */
    private static final int MOST = 64;

    private final Corners corners;

    Settling(Corners corners) {
        this.corners = corners;
    }

    /** Somebody who wants to see every state on the way. */
    interface Witness {
        /** @param state valid during this call only */
        void saw(int[] state);
    }

    void settle(int[] state) {
        settle(state, same -> {});
    }

    void settle(int[] state, Witness witness) {
        for (int i = 0; i < MOST && hurry(state); i++) {
            witness.saw(state);
        }
    }

    /** One letter arrives, if one may. */
    private boolean hurry(int[] state) {
        for (int node = 0; node < state.length - 1; node++) {
            int place = corners.hasty(state[node]);
            if (place >= 0) {
                int[] run = corners.run(state[node]);
                state[node] = run[place + 1];
                corners.deliver(state, corners.turn(run[place]).post());
                return true;
            }
        }
        return false;
    }
}
