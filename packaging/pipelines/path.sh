# For the other scripts: a relative or empty entry of PATH is a folder of the checkout, and adds no programs.
rest=$PATH:
PATH=
while [ -n "$rest" ]; do
  case $rest in /*) PATH=$PATH${PATH:+:}${rest%%:*} ;; esac
  rest=${rest#*:}
done
export PATH
