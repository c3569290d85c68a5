package habemus.fenced;

/**
 * Something that somebody holds or waits for.
 *
 * @param taken how many of its units
 * @param holders with the units of each
 */
public record Lock(int size, int taken, Tree<Claim, Integer> holders, Tree<Turn, Claim> line) {

    static Lock unused(int size) {
        return new Lock(size, 0, Tree.empty(), Tree.empty());
    }

    boolean hasRoomFor(Want want) {
        return size - taken >= want.units();
    }

    /** Whether whoever comes now need not wait. */
    boolean isFreeFor(Want want) {
        return line.isEmpty() && hasRoomFor(want);
    }

    boolean isUnused() {
        return holders.isEmpty() && line.isEmpty();
    }

    Lock joinedBy(Turn turn, Claim claim) {
        return new Lock(size, taken, holders, line.with(turn, claim));
    }

    Lock leftBy(Turn turn) {
        return new Lock(size, taken, holders, line.without(turn));
    }

    Lock heldBy(Claim claim, int units) {
        return new Lock(size, taken + units, holders.with(claim, units), line);
    }

    Lock releasedBy(Claim claim, int units) {
        return new Lock(size, taken - units, holders.without(claim), line);
    }
}
