package habemus.mutex;

/**
 * The numbers of the requests of one node.
 *
 * @param limit how many different numbers there are: after the last one comes the first again; 0 for no limit. Numbers
 *     that lie further apart than half of the limit are confused
 */
public record RequestNumbers(int limit) {

    public RequestNumbers {
        if (limit != 0 && limit < 3) {
            throw new IllegalArgumentException("--numbers must be 0 or at least 3, was " + limit);
        }
    }

    public long next(long number) {
        return limit == 0 ? number + 1 : (number + 1) % limit;
    }

    public boolean isNewer(long one, long other) {
        return limit == 0 ? one > other : one != other && Math.floorMod(one - other, limit) <= limit / 2;
    }
}
