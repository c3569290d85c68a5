package habemus.check.reduction;

import habemus.check.model.Action;
import habemus.check.model.NodePermutation;
import habemus.check.model.ReductionAssumptions;
import habemus.check.model.RefutedAssumptions;
import habemus.check.model.Scope;
import habemus.check.store.GlobalStateTable;
import habemus.check.store.InboxTable;
import habemus.check.store.LongIntMap;
import habemus.check.store.Transition;
import habemus.check.store.TransitionTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What cells and letters are called after each renaming, and whether the renamings go unnoticed: what can happen to a
 * cell, renamed, must be what can happen to the renamed cell. Every cell is looked at with every letter at hand there,
 * so nothing has to be known of the algorithm.
 */
public final class SymmetryProof {

    /** What a turn does, in numbers that can be compared. */
    private record TransitionSignature(
            Action action, int after, List<Long> outgoing, int globalEffect, boolean clearsRequest, boolean fails) {}

    private final Scope scope;
    private final TransitionTable transitionTable;
    private final InboxTable inboxTable;
    private final GlobalStateTable globalStateTable;
    private final List<NodePermutation> group;
    private final RefutedAssumptions refutedAssumptions;
    private final LongIntMap permutedNodeStates = new LongIntMap();
    private final Set<Long> visited = new HashSet<>();
    private final List<long[]> unverified = new ArrayList<>();

    public SymmetryProof(
            Scope scope,
            TransitionTable transitionTable,
            InboxTable inboxTable,
            GlobalStateTable globalStateTable,
            ReductionAssumptions reductionAssumptions) {
        this.scope = scope;
        this.transitionTable = transitionTable;
        this.inboxTable = inboxTable;
        this.globalStateTable = globalStateTable;
        group = reductionAssumptions.group();
        refutedAssumptions = reductionAssumptions.refuted();
    }

    /** The cell after the renaming at this place of the group. */
    public int nodeState(int renaming, int cell) {
        long key = (long) renaming << 32 | cell;
        int known = permutedNodeStates.get(key);
        return known != LongIntMap.ABSENT
                ? known
                : permutedNodeStates.put(key, computeNodeState(group.get(renaming), cell));
    }

    private int computeNodeState(NodePermutation nodePermutation, int cell) {
        var value = transitionTable.nodeState(cell);
        try {
            var renamed = nodePermutation.permutedNodeState(value);
            if (nodePermutation.inverse().permutedNodeState(renamed).equals(value)) {
                return transitionTable.nodeState(renamed);
            }
        } catch (RuntimeException closed) {
            // it cannot be renamed: somebody would notice
        }
        refutedAssumptions.add(nodePermutation);
        return cell;
    }

    /** How many renamings there are. */
    int size() {
        return group.size();
    }

    int message(int renaming, int letter) {
        try {
            return inboxTable.message(group.get(renaming).permuted(inboxTable.message(letter)));
        } catch (RuntimeException closed) {
            refutedAssumptions.add(group.get(renaming));
            return letter;
        }
    }

    public int inbox(int renaming, int inbox) {
        int renamed = inboxTable.empty();
        for (int letter : inboxTable.messages(inbox)) {
            renamed = inboxTable.with(renamed, message(renaming, letter));
        }
        return renamed;
    }

    /** What can happen here will have to go unnoticed under another name. */
    public void visit(int cell, int[] letters) {
        visit(cell, -1);
        for (int letter : letters) {
            visit(cell, letter);
        }
    }

    private void visit(int cell, int letter) {
        if (visited.add((long) cell << 32 | letter & 0xFFFF_FFFFL)) {
            unverified.add(new long[] {cell, letter});
        }
    }

    /** Looks at what was met since the last time; doubts what was noticed. */
    public void verify() {
        for (long[] pair : unverified) {
            for (int i = 1; i < group.size(); i++) {
                if (refutedAssumptions.allows(group.get(i)) && !isPreserved(i, (int) pair[0], (int) pair[1])) {
                    refutedAssumptions.add(group.get(i));
                }
            }
        }
        unverified.clear();
    }

    private boolean isPreserved(int renaming, int cell, int letter) {
        try {
            int other = nodeState(renaming, cell);
            var here = transitionTable.transitions(
                    letter < 0 ? transitionTable.withoutMessage(cell) : transitionTable.onMessage(cell, letter));
            var there = transitionTable.transitions(
                    letter < 0
                            ? transitionTable.withoutMessage(other)
                            : transitionTable.onMessage(other, message(renaming, letter)));
            return scope.isBeyondBound(transitionTable.nodeState(cell))
                            == scope.isBeyondBound(transitionTable.nodeState(other))
                    && permutedSignatures(renaming, here).equals(signatures(there));
        } catch (RuntimeException unprepared) {
            return false; // the algorithm was asked in a state that no run reaches
        }
    }

    private Set<TransitionSignature> permutedSignatures(int renaming, List<Transition> some) {
        var name = group.get(renaming);
        return some.stream()
                .map(transition -> new TransitionSignature(
                        name.permuted(transition.action()),
                        nodeState(renaming, transition.after()),
                        sorted(transition.outgoing(), renaming),
                        globalStateTable.permutedEffect(name, transition.globalEffect()),
                        transition.clearsRequest(),
                        transition.failure() != null))
                .collect(Collectors.toSet());
    }

    private Set<TransitionSignature> signatures(List<Transition> some) {
        return some.stream()
                .map(transition -> new TransitionSignature(
                        transition.action(),
                        transition.after(),
                        sorted(transition.outgoing(), -1),
                        transition.globalEffect(),
                        transition.clearsRequest(),
                        transition.failure() != null))
                .collect(Collectors.toSet());
    }

    private List<Long> sorted(Transition.OutgoingMessages outgoingMessages, int renaming) {
        var items = new int[2 * outgoingMessages.size()];
        for (int i = 0; i < outgoingMessages.size(); i++) {
            items[2 * i] = renaming < 0 ? outgoingMessages.message(i) : message(renaming, outgoingMessages.message(i));
            items[2 * i + 1] = renaming < 0
                    ? outgoingMessages.receiver(i)
                    : group.get(renaming).node(outgoingMessages.receiver(i));
        }
        return Arrays.stream(Transition.OutgoingMessages.sorted(
                        scope.inOrder(), List.of(new Transition.OutgoingMessages(items))))
                .map(item -> (Long) item)
                .toList();
    }
}
