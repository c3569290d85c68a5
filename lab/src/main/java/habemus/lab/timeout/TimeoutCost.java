package habemus.lab.timeout;

/**
 * The expected cost of a timeout: waiting costs, and so does suspecting a live node. Longer timeouts are rarely wrong.
 *
 * @param costPerMilli cost of waiting for a millisecond, above zero
 * @param costPerMistake cost of suspecting a live node, above zero
 */
public record TimeoutCost(DelayDistribution delayDistribution, double costPerMilli, double costPerMistake) {

    /**
     * The expected cost of one timeout.
     *
     * @param lateProbability the probability that a reply takes longer
     */
    public record Evaluation(double millis, double lateProbability, double waitingCost, double mistakeCost) {
        public double cost() {
            return waitingCost + mistakeCost;
        }
    }

    public TimeoutCost {
        if (!(costPerMilli > 0
                && costPerMistake > 0
                && Double.isFinite(costPerMilli)
                && Double.isFinite(costPerMistake))) {
            throw new IllegalArgumentException(
                    "costs must be above zero, were " + costPerMilli + " and " + costPerMistake);
        }
    }

    public Evaluation evaluate(double millis) {
        double later = delayDistribution.tailProbability(millis);
        return new Evaluation(millis, later, costPerMilli * millis, costPerMistake * later);
    }

    /** The cheapest timeout; of several the shortest. */
    public Evaluation best() {
        var best = evaluate(0);
        for (double millis : delayDistribution.candidates()) {
            var other = evaluate(millis);
            best = other.cost() < best.cost() ? other : best;
        }
        return best;
    }
}
