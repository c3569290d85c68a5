package habemus.lab.timeout;

/**
 * Waiting costs, and so does giving up somebody who lives. The longer one waits, the rarer the mistake.
 *
 * @param waiting what a millisecond of waiting costs
 * @param mistake what it costs to give up somebody who lives
 */
public record Tradeoff(Delays delays, double waiting, double mistake) {

    /**
     * What a timeout costs.
     *
     * @param later how likely an answer takes longer
     */
    public record Choice(double millis, double later, double waiting, double mistakes) {
        public double cost() {
            return waiting + mistakes;
        }
    }

    public Tradeoff {
        if (!(waiting > 0 && mistake > 0 && Double.isFinite(waiting) && Double.isFinite(mistake))) {
            throw new IllegalArgumentException("waiting and mistakes cost more than nothing");
        }
    }

    public Choice at(double millis) {
        double later = delays.later(millis);
        return new Choice(millis, later, waiting * millis, mistake * later);
    }

    /** The timeout that costs least; of several the shortest. */
    public Choice best() {
        var best = at(0);
        for (double millis : delays.candidates()) {
            var other = at(millis);
            best = other.cost() < best.cost() ? other : best;
        }
        return best;
    }
}
