package habemus.check.reduction;

import habemus.check.model.ReductionAssumptions;
import habemus.check.model.Scope;
import habemus.check.store.GlobalStateTable;
import habemus.check.store.InboxTable;
import habemus.check.store.Reduction;
import habemus.check.store.TransitionTable;
import org.jspecify.annotations.Nullable;

/** The reductions of one search: symmetry, eager delivery or both, each with its proof. */
public final class ReductionProofs implements Reduction {

    private final @Nullable SymmetryProof symmetry; // null if all node ids are distinguished
    private final @Nullable CommutativityProof commutativity; // null if no message is delivered eagerly

    private ReductionProofs(@Nullable SymmetryProof symmetry, @Nullable CommutativityProof commutativity) {
        this.symmetry = symmetry;
        this.commutativity = commutativity;
    }

    public static Reduction.Factory factory(
            Scope scope, GlobalStateTable globalStates, ReductionAssumptions assumptions) {
        return (transitions, inboxes) -> create(scope, globalStates, assumptions, transitions, inboxes);
    }

    private static Reduction create(
            Scope scope,
            GlobalStateTable globalStates,
            ReductionAssumptions assumptions,
            TransitionTable transitions,
            InboxTable inboxes) {
        var symmetry = assumptions.hasSymmetry()
                ? new SymmetryProof(scope, transitions, inboxes, globalStates, assumptions)
                : null;
        var commutativity = assumptions.eagerDelivery()
                ? new CommutativityProof(scope, transitions, inboxes, symmetry, assumptions.refuted())
                : null;
        return new ReductionProofs(symmetry, commutativity);
    }

    @Override
    public void visit(int nodeState, int[] messages) {
        if (symmetry != null) {
            symmetry.visit(nodeState, messages);
        }
    }

    @Override
    public void visit(int nodeState, int message) {
        if (commutativity != null) {
            commutativity.visit(nodeState, message);
        }
    }

    @Override
    public boolean deliversEagerly() {
        return commutativity != null;
    }

    @Override
    public boolean mayDeliverEagerly(int nodeState, int message) {
        return commutativity != null && commutativity.mayDeliverEagerly(nodeState, message);
    }

    @Override
    public int permutedNodeState(int permutation, int nodeState) {
        return symmetry == null ? nodeState : symmetry.nodeState(permutation, nodeState);
    }

    @Override
    public int permutedInbox(int permutation, int inbox) {
        return symmetry == null ? inbox : symmetry.inbox(permutation, inbox);
    }

    @Override
    public boolean verify() {
        if (symmetry != null) {
            symmetry.verify();
        }
        return commutativity != null && commutativity.verify();
    }

    @Override
    public boolean isProven() {
        return commutativity == null || commutativity.isProven();
    }
}
