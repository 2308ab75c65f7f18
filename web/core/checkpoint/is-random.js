// Whether a lab's parameters ask for random weights, and so for the controls that make them.
export const isRandom = ({ checkpoint }) => !checkpoint;
